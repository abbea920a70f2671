import { Code } from '@connectrpc/connect';
import { expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime/rpc';
import { until } from '@parley/runtime/testing';
import { answer, ask, session, startConversations, stored, threads, transcript } from '../testing/conversations.ts';

/** Waits until this many questions wait in a chat. */
const waiting = (thread: string, count: number) =>
  until(
    async () => (await stored(thread)).waiting.length,
    (found) => found === count,
  );

test('two questions wait for a third and are answered in order of arrival, on two replicas; a fourth is refused at once', async () => {
  const place = await session();
  const replica = await startConversations();
  const first = await ask({ ...place, question: 'q1' });
  const second = ask({ ...place, question: 'q2', replica, timeoutMs: 20_000 });
  await waiting(place.thread, 1);
  const third = ask({ ...place, question: 'q3', timeoutMs: 20_000 });
  await waiting(place.thread, 2);

  const began = performance.now();
  for (const anywhere of [{}, { replica }])
    await expect(ask({ ...place, question: 'q4', timeoutMs: 20_000, ...anywhere })).rejects.toMatchObject({
      code: Code.Unavailable,
      rawMessage: expect.stringContaining('already waiting'),
    });
  // Waiting would have taken 20 s.
  expect(performance.now() - began).toBeLessThan(10_000);

  await answer(first, 'a1');
  await answer(await second, 'a2');
  await answer(await third, 'a3');
  const said = ['q0', 'a0', 'q1', 'a1', 'q2', 'a2', 'q3', 'a3'];
  expect((await transcript(place)).map((line) => line.split(': ')[1])).toEqual(said);
});

test('a question that arrives while others wait does not overtake them when the answer ends', async () => {
  const place = await session();
  const first = await ask({ ...place, question: 'q1' });
  const second = ask({ ...place, question: 'q2', timeoutMs: 20_000 });
  await waiting(place.thread, 1);
  const [third] = [ask({ ...place, question: 'q3', timeoutMs: 20_000 }), answer(first, 'a1')];
  await answer(await second, 'a2');
  await answer(await third, 'a3');
  expect((await transcript(place)).slice(4).map((line) => line.split(': ')[1])).toEqual(['q2', 'a2', 'q3', 'a3']);
});

test('a waiter in the process that stores the answer is woken by that, not by its next poll', async () => {
  const place = await session();
  let asked = await ask({ ...place, question: 'q' });
  const began = performance.now();
  for (let i = 0; i < 10; i++) {
    const next = ask({ ...place, question: `q${i}` });
    await waiting(place.thread, 1);
    await answer(asked, 'a');
    asked = await next;
  }
  // Ten polls, one a second, would take longer.
  expect(performance.now() - began).toBeLessThan(8_000);
});

test('two waiting questions cost a few operations a second', async () => {
  const place = await session();
  await ask({ ...place, question: 'q1', leaseMs: 60_000 });
  const both = ['q2', 'q3'].map((question) => ask({ ...place, question, timeoutMs: 6_000 }));
  const refused = both.map((each) => expect(each).rejects.toMatchObject({ code: Code.Unavailable }));
  await waiting(place.thread, 2);
  let looks = 0;
  let last: number | undefined;
  await until(async () => {
    const at = (await stored(place.thread)).looked_at?.getTime();
    if (at !== last) looks += 1;
    last = at;
    return (await stored(place.thread)).waiting.length === 0;
  });
  expect(looks).toBeLessThanOrEqual(16);
  await Promise.all(refused);
});

test('a question that waits until its deadline is refused with a sentence, is not stored, and gives up its place', async () => {
  const pending = await ask();
  await expect(ask({ ...pending, operation: randomId(), question: 'And?', timeoutMs: 4_000 })).rejects.toMatchObject({
    code: Code.Unavailable,
    rawMessage: expect.stringContaining('still being answered'),
  });
  expect(await stored(pending.thread)).toMatchObject({ n: 1 });
  await waiting(pending.thread, 0);
});

test('a caller that hangs up gives up its place, and a place that is not renewed expires', async () => {
  const pending = await ask({ leaseMs: 60_000 });
  const disconnect = new AbortController();
  const gone = ask({ ...pending, operation: randomId(), question: 'And?', signal: disconnect.signal });
  const refused = expect(gone).rejects.toMatchObject({ code: Code.Canceled });
  await waiting(pending.thread, 1);
  disconnect.abort();
  await refused;
  await waiting(pending.thread, 0);

  const dead = { op: randomId(), until: new Date(Date.now() + 1_500) };
  await threads.updateOne({ _id: pending.thread }, { $set: { waiting: [dead], pending: null } });
  const next = await ask({ ...pending, operation: randomId(), question: 'q2' });
  expect(next.claim).toBeDefined();
  expect((await stored(pending.thread)).waiting).toEqual([]);
});
