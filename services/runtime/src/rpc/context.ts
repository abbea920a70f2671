import { createHmac, timingSafeEqual } from 'node:crypto';
import { unauthenticated } from '../errors.ts';
import { deriveKey } from './keys.ts';

/** UUID. */
export type AccountId = string;
/** UUID; the same on every retry of an operation, so that its effect happens once. */
export type OperationId = string;

/** Who calls, and on whose behalf. Travels with every call, signed. */
export interface CallContext {
  /** Absent if the caller acts for no account: an operator, a background relay. */
  account?: AccountId;
  operator?: true;
  keyId?: string;
  scopes?: string[];
  requestId: string;
  operation: OperationId;
}

/** The metadata that carries a call's context: base64url(JSON) '.' base64url(HMAC-SHA-256 of the first part). */
export const contextHeader = 'parley-context';

const maxAgeMs = 5 * 60_000;
const maxSkewMs = 60_000;

export interface ContextSigner {
  sign(context: CallContext): string;
  /** Throws UNAUTHENTICATED for a header that is missing, not signed with the same secret, or over 5 minutes old. */
  verify(header: string | undefined): CallContext;
}

/** Signs contexts, and verifies those of processes that hold the same secret. */
export function contextSigner(secret: string, clock: () => number = Date.now): ContextSigner {
  const key = deriveKey(secret, 'rpc-context');
  const mac = (payload: string) => createHmac('sha256', key).update(payload).digest();
  return {
    sign(context) {
      const payload = Buffer.from(JSON.stringify({ context, issued: clock() })).toString('base64url');
      return `${payload}.${mac(payload).toString('base64url')}`;
    },
    verify(header) {
      if (header === undefined) throw unauthenticated('The call carries no context.');
      const [payload = '', signature = ''] = header.split('.', 2);
      const given = Buffer.from(signature, 'base64url');
      const expected = mac(payload);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
        throw unauthenticated("The call's context was not signed with this system's secret.");
      }
      // We wrote whatever we signed, so its shape needs no check.
      const { context, issued } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Signed;
      const age = clock() - issued;
      if (age > maxAgeMs || age < -maxSkewMs)
        throw unauthenticated("The call's context is out of date: compare the clocks.");
      return context;
    },
  };
}

interface Signed {
  context: CallContext;
  /** Milliseconds since the epoch, by the signer's clock. */
  issued: number;
}
