import { Code } from '@connectrpc/connect';
import { expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime/rpc';
import { until } from '@parley/runtime/testing';
import { MAX_BYTES } from '../domain/limits.ts';
import {
  answer,
  ask,
  endLease,
  entries,
  extend,
  fail,
  session,
  stored,
  threads,
  transcript,
} from '../testing/conversations.ts';

test('a question starts a conversation, and its answer follows it', async () => {
  const asked = await ask({ question: 'Why?' });
  expect(asked.claim).toMatchObject({ questionId: asked.operation, fence: 1 });
  expect(asked.history).toEqual([]);
  expect(await transcript(asked)).toEqual(['user: Why?']);
  await answer(asked, 'Because.');
  expect(await transcript(asked)).toEqual(['user: Why?', 'assistant: Because.']);
});

test('a second question in the session gets the earlier messages', async () => {
  const first = await ask({ question: 'One?' });
  await answer(first, 'Two.');
  const second = await ask({ ...first, operation: randomId(), question: 'Three?' });
  expect(second.thread).toBe(first.thread);
  expect(second.history.map((m) => m.message)).toEqual(['One?', 'Two.']);
});

test('an answer gets at most the last 20 messages, oldest first', async () => {
  const place = await session();
  let asked = await ask({ ...place, question: 'q1' });
  for (let n = 2; n <= 13; n++) {
    await answer(asked, `a${n - 1}`);
    asked = await ask({ ...place, question: `q${n}` });
  }
  expect(asked.history).toHaveLength(20);
  expect([asked.history[0]!.message, asked.history[19]!.message]).toEqual(['q3', 'a12']);
});

test('a retry of an answered operation returns its answer', async () => {
  const asked = await ask();
  await answer(asked, 'Because.');
  const again = await ask({ ...asked, session: '' });
  expect(again).toMatchObject({ thread: asked.thread, session: asked.session, claim: undefined });
  expect(again.given).toMatchObject({ message: 'Because.', sources: [{ n: 1, url: 'https://t.example' }] });
});

test('the same operation twice at once asks once: the second waits for the answer of the first, without taking a place', async () => {
  const place = { account: randomId(), assistant: randomId(), operation: randomId() };
  const both = [ask(place), ask(place)];
  const first = await Promise.race(both);
  expect((await stored(first.thread)).waiting).toEqual([]);
  await answer(first, 'Once.');
  const given = await Promise.all(both);
  expect(given.map((each) => each.given?.message).sort()).toEqual(['Once.', undefined]);
  expect((await stored(first.thread)).n).toBe(2);
});

test('an expired claim is taken over, and its first owner can neither renew it nor answer', async () => {
  const first = await ask();
  await endLease(first.thread);
  const second = await ask({ ...first, session: '' });
  expect(second.claim).toMatchObject({ questionId: first.operation, fence: 2 });
  await expect(answer(first, 'Late.')).rejects.toMatchObject({
    code: Code.Aborted,
    rawMessage: expect.stringContaining('taken over'),
  });
  await expect(extend(first, 5_000)).rejects.toMatchObject({ code: Code.Aborted });
  await answer(second, 'In time.');
  // Its caller still gets the stored answer.
  expect(await answer(first, 'Late.')).toBe('In time.');
  expect(await transcript(first)).toEqual(['user: Why?', 'assistant: In time.']);
});

test('a question whose owner died does not block the next one', async () => {
  const dead = await ask({ question: 'q1' });
  await endLease(dead.thread);
  const next = await ask({ ...dead, operation: randomId(), question: 'q2' });
  await answer(next, 'a2');
  expect(await transcript(dead)).toEqual(['user: q1', 'user: q2', 'assistant: a2']);
  await expect(answer(dead, 'Late.')).rejects.toMatchObject({
    code: Code.Aborted,
    rawMessage: expect.stringContaining('abandoned'),
  });
});

test('a retry of a failed question is answered next to the question, whatever was said since', async () => {
  const place = await session();
  const operation = randomId();
  const failed = await ask({ ...place, question: 'q1', operation });
  await fail(failed);
  expect(await stored(place.thread)).toMatchObject({ pending: null, failed: operation });
  await answer(await ask({ ...place, question: 'q2' }), 'a2');
  const again = await ask({ ...place, question: 'q1', operation });
  expect(again.history.map((m) => m.message)).toEqual(['q0', 'a0']);
  await answer(again, 'a1');
  expect((await transcript(place)).map((line) => line.split(': ')[1])).toEqual(['q0', 'a0', 'q1', 'a1', 'q2', 'a2']);
});

test('an answer is stored once, and neither a repeat nor a late failure changes it', async () => {
  const asked = await ask();
  expect(await answer(asked, 'First.')).toBe('First.');
  expect(await answer(asked, 'Again.')).toBe('First.');
  await fail(asked);
  expect(await transcript(asked)).toEqual(['user: Why?', 'assistant: First.']);
});

test('extending a claim keeps it', async () => {
  const asked = await ask({ leaseMs: 1_000 });
  const before = (await stored(asked.thread)).pending!.until;
  await extend(asked, 60_000);
  expect((await stored(asked.thread)).pending!.until.getTime()).toBeGreaterThan(before.getTime() + 50_000);
});

test('a session of another chatbot or another account is not found', async () => {
  const place = await session();
  for (const elsewhere of [
    { assistant: randomId() },
    { account: randomId() },
    { session: randomId() },
    { session: 'x' },
  ])
    await expect(ask({ ...place, ...elsewhere })).rejects.toMatchObject({ code: Code.NotFound });
});

test('another account can neither answer, extend nor fail a question', async () => {
  const asked = await ask();
  const stranger = { ...asked, account: randomId() };
  await expect(answer(stranger, 'Mine.')).rejects.toMatchObject({ code: Code.NotFound });
  await expect(extend(stranger, 60_000)).rejects.toMatchObject({ code: Code.Aborted });
  await fail(stranger);
  expect((await stored(asked.thread)).pending).toMatchObject({ entry: asked.operation, fence: 1 });
});

test('an operation that has asked one question cannot ask another, or the same one elsewhere', async () => {
  const asked = await ask();
  await answer(asked, 'a');
  const elsewhere = await session();
  const other = { account: asked.account, assistant: asked.assistant, question: 'q' };
  const another = await ask(other);
  await answer(another, 'a');
  for (const wrong of [{ question: 'Else?' }, { assistant: elsewhere.assistant }])
    await expect(ask({ ...asked, session: '', ...wrong })).rejects.toMatchObject({ code: Code.AlreadyExists });
  await expect(ask({ ...asked, session: another.session })).rejects.toMatchObject({ code: Code.AlreadyExists });
});

test('a blocked chat is refused before anything is stored', async () => {
  const place = await session();
  await threads.updateOne({ _id: place.thread }, { $set: { blocked_at: new Date() } });
  await expect(ask({ ...place, question: 'Still there?' })).rejects.toMatchObject({
    code: Code.PermissionDenied,
    rawMessage: expect.stringContaining('blocked'),
  });
  expect(await stored(place.thread)).toMatchObject({ n: 2, waiting: [] });
});

test('a conversation ends at 500 questions, or at the size limit of one response, and says to start a new one', async () => {
  for (const full of [{ questions: 500 }, { bytes: MAX_BYTES }]) {
    const place = await session();
    await threads.updateOne({ _id: place.thread }, { $set: full });
    await expect(ask({ ...place, question: 'One more?' })).rejects.toMatchObject({
      code: Code.FailedPrecondition,
      rawMessage: expect.stringContaining('new session'),
    });
  }
});

test('blank and overlong texts and leases out of bounds are refused, and nothing is stored', async () => {
  const account = randomId();
  for (const wrong of [{ question: ' \n' }, { question: '🙂'.repeat(10_001) }, { leaseMs: 999 }, { leaseMs: 60_001 }])
    await expect(ask({ account, ...wrong })).rejects.toMatchObject({ code: Code.InvalidArgument });
  const asked = await ask({ account, question: '🙂'.repeat(10_000) });
  expect(await threads.countDocuments({ account })).toBe(1);
  for (const wrong of ['', '🙂'.repeat(100_001)])
    await expect(answer(asked, wrong)).rejects.toMatchObject({ code: Code.InvalidArgument });
});

test('a question that looks like a database expression is stored as sent', async () => {
  const asked = await ask({ question: '$$NOW' });
  await answer(asked, '$question');
  expect(await transcript(asked)).toEqual(['user: $$NOW', 'assistant: $question']);
});

test('an entry that a process did not copy before it died is still read, and copied by the next writer', async () => {
  const asked = await ask();
  await until(async () => (await entries.countDocuments({ thread: asked.thread })) === 1);
  await entries.deleteMany({ thread: asked.thread });
  expect(await transcript(asked)).toEqual(['user: Why?']);
  await answer(asked, 'Because.');
  await until(async () => (await entries.countDocuments({ thread: asked.thread })) === 2);
  await entries.deleteOne({ thread: asked.thread, n: 2 });
  expect(await transcript(asked)).toEqual(['user: Why?', 'assistant: Because.']);
});
