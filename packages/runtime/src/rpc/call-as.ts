import type { RootSecret } from '../derive-key.ts';
import { randomId } from '../ids.ts';
import { createLog } from '../log.ts';
import { type Call, monotonicNow, newCall } from './call.ts';
import { type CallContext, contextSigner, OPERATOR, type Role } from './context.ts';

const TIMEOUT_MS = 15_000;
const log = createLog('caller', 'silent');

/**
 * Options for one call to a service that is part of no other call: of an operator's program, or of a process's own work in the
 * background. Needs the generated secret.
 */
export function callAs(
  secret: RootSecret,
  context: Partial<CallContext>,
  { role = OPERATOR, timeoutMs = TIMEOUT_MS, signal }: { role?: Role; timeoutMs?: number; signal?: AbortSignal } = {},
): ReturnType<Call['onward']> {
  const sign = contextSigner(secret, role);
  const deadline = monotonicNow() + timeoutMs;
  const whole = { requestId: randomId(), operation: randomId(), ...context };
  return newCall(whole, { sign, log, deadline, ...(signal && { signal }) }).onward();
}
