import { expect, test } from '@jest/globals';
import { isAppError } from '../errors.ts';
import { gate } from '../testing/index.ts';
import { type Call, monotonicNow } from './call.ts';
import { auth, connect, edgeCall, refusal, startServer } from './testing/rpc.ts';

/** Does nothing until its call is over, then passes the call to `over`. */
const hangs = (over: (call: Call) => void, started?: () => void) =>
  auth({
    verifyKey: (_, call) =>
      new Promise((_, reject) => {
        started?.();
        call.signal.addEventListener('abort', () => {
          over(call);
          reject(call.signal.reason);
        });
      }),
  });

test('a deadline travels with the call and shrinks on the way', async () => {
  const deadlines: number[] = [];
  const back = await startServer([
    auth({
      async verifyKey(_, { deadline }) {
        deadlines.push(deadline);
        return {};
      },
    }),
  ]);
  const client = connect(back.address);
  const front = await startServer([
    auth({
      verifyKey(request, call) {
        deadlines.push(call.deadline);
        return client.verifyKey(request, call.onward());
      },
    }),
  ]);
  const edge = connect(front.address);
  // A first call is slower than its margin: it connects, and nothing is compiled yet.
  await edge.verifyKey({}, edgeCall().onward());
  deadlines.length = 0;
  const deadline = monotonicNow() + 3_000;
  await edge.verifyKey({}, edgeCall({ deadline }).onward());
  expect(deadlines[0]).toBeLessThan(deadline);
  expect(deadlines[1]).toBeLessThan(deadlines[0]!);
  expect(deadlines[1]).toBeGreaterThan(deadline - 2_000);
});

test('a call without its own deadline has ten seconds', async () => {
  const seen = gate<number>();
  const { address } = await startServer([
    auth({
      async verifyKey(_, { deadline }) {
        seen.open(deadline - monotonicNow());
        return {};
      },
    }),
  ]);
  await connect(address).verifyKey({}, edgeCall({ deadline: Infinity }).onward());
  expect(await seen.opened).toBeGreaterThan(0);
  expect(await seen.opened).toBeLessThanOrEqual(10_000);
});

test('a call to a hung server fails at the deadline, and the signal of its handler says why', async () => {
  const over = gate<Call>();
  const { address } = await startServer([hangs(over.open)]);
  const outcome = await refusal(connect(address).verifyKey({}, edgeCall({ deadline: monotonicNow() + 200 }).onward()));
  expect(outcome.code).toBe('deadline_exceeded');
  expect(isAppError((await over.opened).signal.reason, 'deadline_exceeded')).toBe(true);
});

test('if the second of two services hangs, the first reports it before its caller gives up', async () => {
  const back = await startServer([hangs(() => {})]);
  const client = connect(back.address);
  const front = await startServer([auth({ verifyKey: (request, call) => client.verifyKey(request, call.onward()) })]);
  const outcome = await refusal(
    connect(front.address).verifyKey({}, edgeCall({ deadline: monotonicNow() + 300 }).onward()),
  );
  expect(outcome).toEqual({ code: 'deadline_exceeded', message: 'The answer took too long.' });
});

test('a caller that hangs up ends its call, and the calls made for it', async () => {
  const started = gate();
  const over = gate<Call>();
  const back = await startServer([hangs(over.open, started.open)]);
  const client = connect(back.address);
  const front = await startServer([auth({ verifyKey: (request, call) => client.verifyKey(request, call.onward()) })]);
  const caller = new AbortController();
  const outcome = refusal(connect(front.address).verifyKey({}, edgeCall({ signal: caller.signal }).onward()));
  await started.opened;
  caller.abort();
  expect((await outcome).code).toBe('canceled');
  expect((await over.opened).signal.reason.name).toBe('AbortError');
});

test('a call that is over before it starts is never sent', async () => {
  let ran = 0;
  const { address } = await startServer([
    auth({
      async verifyKey() {
        ran++;
        return {};
      },
    }),
  ]);
  const client = connect(address);
  const outcome = async (signal: AbortSignal) =>
    (await refusal(client.verifyKey({}, edgeCall({ signal }).onward()))).code;
  expect(await outcome(AbortSignal.abort())).toBe('canceled');
  expect(await outcome(AbortSignal.abort(new DOMException('', 'TimeoutError')))).toBe('deadline_exceeded');
  expect(ran).toBe(0);
});

test('detached work continues after its caller is gone, as the same caller, until its own deadline', async () => {
  const started = gate();
  const gone = gate();
  const finished = gate<Call>();
  const back = await startServer([auth({ verifyKey: async (_, call) => ({ account: { name: call.operation } }) })]);
  const client = connect(back.address);
  const front = await startServer([
    auth({
      async verifyKey(request, call) {
        const own = call.detached(2_000);
        call.signal.addEventListener('abort', () => gone.open());
        started.open();
        await gone.opened;
        const { account } = await client.verifyKey(request, own.onward());
        expect(account?.name).toBe(call.operation);
        finished.open(own);
        return {};
      },
    }),
  ]);
  const caller = new AbortController();
  const outcome = refusal(connect(front.address).verifyKey({}, edgeCall({ signal: caller.signal }).onward()));
  await started.opened;
  caller.abort();
  expect((await outcome).code).toBe('canceled');
  expect((await finished.opened).signal.aborted).toBe(false);
});
