import { createLog } from '../log.ts';
import { type Call, monotonicNow, newCall } from './call.ts';
import { type CallContext, contextSigner } from './context.ts';
import { randomId } from './ids.ts';

const TIMEOUT_MS = 15_000;
const log = createLog('caller', 'silent');

/** Options for one call to a service, for an account or as the operator. Anyone who has the secret can make them. */
export function callAs(
  secret: string,
  context: Omit<CallContext, 'requestId'>,
  signal: AbortSignal = new AbortController().signal,
): ReturnType<Call['onward']> {
  const { sign } = contextSigner(secret);
  const deadline = monotonicNow() + TIMEOUT_MS;
  return newCall({ requestId: randomId(), ...context }, { sign, log, deadline, signal }).onward();
}
