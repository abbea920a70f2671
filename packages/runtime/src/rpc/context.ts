import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { DescMethod, DescService } from '@bufbuild/protobuf';
import { deriveKey, deriveKeys, isMacOf, type RootSecret } from '../derive-key.ts';
import { unauthenticated, unavailableDoNotRetry } from '../errors.ts';
import { pathOf } from './codec.ts';

/** UUID. */
export type AccountId = string;
/** UUID; the same on every retry of an operation, so that its effect happens once. */
export type OperationId = string;
/** The role of a process: its name in `deploy/processes.ts`, or `OPERATOR`. */
export type Role = string;

/** The role of an operator's program. */
export const OPERATOR: Role = 'operator';

/** On whose behalf a call is made. Travels with every call, signed. */
export interface CallContext {
  /** Absent if the caller acts for no account: an operator, a background relay. */
  account?: AccountId;
  keyId?: string;
  scopes?: string[];
  requestId: string;
  operation: OperationId;
}

/**
 * The metadata that carries a call's context: role '.' base64url(JSON) '.' base64url(HMAC-SHA-256). The HMAC covers the
 * method, the context and the message, under a key of the caller's role and the called service. So a context that leaks is
 * good for nothing but the same request again, which does nothing, since it is the same operation.
 */
export const contextHeader = 'parley-context';

const maxAgeMs = 60_000;
const maxSkewMs = 60_000;

interface Signed {
  context: CallContext;
  /** Milliseconds since the epoch, by the signer's clock. */
  issued: number;
}

/** Signs a context for one message to one method. */
export type SignContext = (context: CallContext, method: DescMethod, message: Uint8Array) => string;

/** Signs contexts as a process of this role. */
export function contextSigner(secret: RootSecret, role: Role, clock: () => number = Date.now): SignContext {
  const keys = new Map<string, KeyObject>();
  function keyFor({ typeName }: DescService) {
    const key = keys.get(typeName) ?? createSecretKey(deriveKey(secret, 'rpc-context', role, typeName));
    keys.set(typeName, key);
    return key;
  }
  return (context, method, message) => {
    const payload = Buffer.from(JSON.stringify({ context, issued: clock() } satisfies Signed)).toString('base64url');
    return `${role}.${payload}.${macOf(keyFor(method.parent), method, payload, message).toString('base64url')}`;
  };
}

/** A verified context, and the role of the process that signed it. */
export interface Verified {
  context: CallContext;
  caller: Role;
}

/**
 * Throws UNAUTHENTICATED for a header that is missing or was not signed for this message, or whose signer may not call the
 * service; UNAVAILABLE if it is more than a minute old.
 */
export type VerifyContext = (header: string | undefined, method: DescMethod, message: Uint8Array) => Verified;

/** Verifies contexts for a service which only processes of these roles may call. */
export function contextVerifier(
  secret: RootSecret,
  service: DescService,
  callers: readonly Role[],
  clock: () => number = Date.now,
): VerifyContext {
  const keys = new Map(
    callers.map((role) => [
      role,
      deriveKeys(secret, 'rpc-context', role, service.typeName).map((key) => createSecretKey(key)),
    ]),
  );
  return (header, method, message) => {
    if (header === undefined) throw unauthenticated('The call carries no context.');
    const [caller = '', payload = '', signature = ''] = header.split('.', 3);
    const accepted = keys.get(caller);
    if (!accepted) throw unauthenticated(`The caller's role may not call ${service.typeName}.`);
    if (!isMacOf(accepted, Buffer.from(signature, 'base64url'), (key) => macOf(key, method, payload, message)))
      throw unauthenticated("The call's context was not signed for this call with this system's secret.");
    // We wrote whatever we signed, so its shape needs no check.
    const { context, issued } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Signed;
    const age = clock() - issued;
    // Not the caller's fault if the connection's own retry comes late; the caller's next attempt signs again.
    if (age > maxAgeMs || age < -maxSkewMs) throw outOfDate(caller, age);
    return { context, caller };
  };
}

function outOfDate(caller: Role, age: number) {
  const seconds = Math.round(Math.abs(age) / 1_000);
  const cause = new Error(
    `A call of ${caller} was signed ${seconds} s ${age < 0 ? 'after' : 'before'} now, and 60 s are the limit: compare the clocks of both processes.`,
  );
  return unavailableDoNotRetry(
    'The clocks of our servers are too far apart, or a call took too long. Try again.',
    cause,
  );
}

const macOf = (key: KeyObject, method: DescMethod, payload: string, message: Uint8Array): Buffer =>
  createHmac('sha256', key)
    .update(`${pathOf(method)}\n${payload}\n`)
    .update(message)
    .digest();
