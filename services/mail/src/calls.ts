import type { CallOptions } from '@connectrpc/connect';
import type { Log, RootSecret } from '@parley/runtime';
import { contextSigner, monotonicNow, newCall, randomId } from '@parley/runtime/rpc';

const ROLE = 'mail';
const TIMEOUT_MS = 15_000;

/** Makes the options of a call, on behalf of an account if one is given; the operation is random by default. */
export type Calls = (account?: string, operation?: string) => CallOptions;

export function createCalls(secret: RootSecret, log: Log): Calls {
  const sign = contextSigner(secret, ROLE);
  return (account, operation = randomId()) => {
    const context = { ...(account !== undefined && { account }), requestId: randomId(), operation };
    return newCall(context, { sign, log, deadline: monotonicNow() + TIMEOUT_MS }).onward();
  };
}
