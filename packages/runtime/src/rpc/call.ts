import type { DescMethod } from '@bufbuild/protobuf';
import { type CallOptions, createContextKey, createContextValues } from '@connectrpc/connect';
import { permissionDenied, unauthenticated } from '../errors.ts';
import { deriveId } from '../ids.ts';
import type { Log } from '../log.ts';
import {
  type AccountId,
  type CallContext,
  OPERATOR,
  type OperationId,
  type Role,
  type SignContext,
} from './context.ts';

/** One call, as its handler sees it. */
export interface Call {
  readonly context: CallContext;
  /** The role of the calling process; absent where the call starts. */
  readonly caller: Role | undefined;
  /** Throws UNAUTHENTICATED if the context has none. */
  readonly account: AccountId;
  readonly requestId: string;
  readonly operation: OperationId;
  /** Aborts when the caller hangs up or the deadline passes. */
  readonly signal: AbortSignal;
  /** Milliseconds on the clock of `monotonicNow`, or Infinity. */
  readonly deadline: number;
  readonly log: Log;
  /** Throws PERMISSION_DENIED unless the caller is a process of this role. */
  requireCaller(role: Role): void;
  /** Throws PERMISSION_DENIED unless the caller is an operator. */
  requireOperator(): void;
  /**
   * Options for a call to another service on behalf of this call: its context, its signal, and the time left minus a margin
   * to respond. A second write to the same service needs a `step`, which gives it its own operation id.
   */
  onward(step?: string): CallOptions;
  /** The same context with its own deadline and signal, for work that outlives its caller. */
  detached(timeoutMs: number): Call;
}

export interface CallDependencies {
  sign: SignContext;
  log: Log;
  caller?: Role;
  /** Milliseconds on the clock of `monotonicNow`, or Infinity. */
  deadline: number;
  /** Absent if only the deadline ends the call. */
  signal?: AbortSignal;
}

/** In the options of a call: makes the header that carries its context, once the message is known. */
export const contextOf = createContextKey<((method: DescMethod, message: Uint8Array) => string) | undefined>(undefined);

/** In the options of a call: the account that it is made for. */
export const accountOf = createContextKey<AccountId | undefined>(undefined);

const marginMs = 25;

/** Milliseconds since the epoch on a monotonic clock, for deadlines within this process. */
export const monotonicNow = (): number => performance.timeOrigin + performance.now();

const timeoutAt = (deadline: number) => AbortSignal.timeout(Math.max(0, Math.ceil(deadline - monotonicNow())));

/** Creates a call where it starts (gateway, relay, test) or where it arrives at a server. */
export function newCall(context: CallContext, dependencies: CallDependencies): Call {
  const { sign, deadline, caller } = dependencies;
  const { account, requestId, operation } = context;
  let log: Log | undefined;
  let { signal } = dependencies;
  const requireCaller = (role: Role) => {
    if (caller !== role) throw permissionDenied(`Only the ${role} may do this.`);
  };
  return {
    context,
    caller,
    requestId,
    operation,
    // Created lazily: calls to other services carry the deadline itself.
    get signal() {
      signal ??= deadline === Infinity ? new AbortController().signal : timeoutAt(deadline);
      return signal;
    },
    deadline,
    // Created lazily: few calls log anything.
    get log() {
      log ??= dependencies.log.child({ request_id: requestId, account });
      return log;
    },
    get account() {
      if (account === undefined) throw unauthenticated('This call needs an account.');
      return account;
    },
    requireCaller,
    requireOperator: () => requireCaller(OPERATOR),
    onward(step) {
      const signed = step === undefined ? context : { ...context, operation: deriveId(operation, step) };
      return {
        contextValues: createContextValues()
          .set(contextOf, (method, message) => sign(signed, method, message))
          .set(accountOf, account),
        timeoutMs: deadline === Infinity ? undefined : Math.max(1, Math.floor(deadline - monotonicNow() - marginMs)),
        ...(signal && { signal }),
      };
    },
    detached: (timeoutMs) => newCall(context, { sign, log: dependencies.log, deadline: monotonicNow() + timeoutMs }),
  };
}
