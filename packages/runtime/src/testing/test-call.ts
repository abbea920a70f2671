import { pino } from 'pino';
import { randomId } from '../ids.ts';
import { type Call, type CallDependencies, newCall } from '../rpc/call.ts';
import { type CallContext, contextSigner } from '../rpc/context.ts';

/** A call for the test of a handler; by default with a random account, no deadline and a silent log. */
export function testCall({
  sign,
  log,
  caller,
  deadline,
  signal,
  ...context
}: Partial<CallContext & CallDependencies> = {}): Call {
  return newCall(
    { account: randomId(), requestId: randomId(), operation: randomId(), ...context },
    {
      sign: sign ?? contextSigner(randomId(), 'test'),
      log: log ?? pino({ level: 'silent' }),
      ...(caller !== undefined && { caller }),
      deadline: deadline ?? Infinity,
      signal: signal ?? new AbortController().signal,
    },
  );
}
