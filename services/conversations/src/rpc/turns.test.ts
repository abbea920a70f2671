import { durationFromMs } from '@bufbuild/protobuf/wkt';
import { Code } from '@connectrpc/connect';
import { expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime';
import { until } from '@parley/runtime/testing';
import {
  type Asking,
  abandon,
  answer,
  ask,
  call,
  conversations,
  endLease,
  loseChat,
  startConversations,
  transcript,
  turns,
} from '../conversations.fixture.ts';
import { MAX_BYTES } from '../domain/limits.ts';

test('a question begins a conversation, and its answer stands behind it', async () => {
  const asked = await ask({ question: 'Why?' });
  expect(asked.turn).toMatchObject({ n: 1, fence: 1, question: 'Why?' });
  expect(asked.history).toEqual([]);
  await answer(asked, 'Because.');
  expect(await transcript(asked)).toEqual(['user: Why?', 'assistant: Because.']);
});

test('a second question of the session sees what was said before it', async () => {
  const first = await ask({ question: 'One?' });
  await answer(first, 'Two.');
  const second = await ask({ ...first, question: 'Three?' });
  expect(second.turn).toMatchObject({ n: 2, threadId: first.turn.threadId });
  expect(second.history.map((m) => m.message)).toEqual(['One?', 'Two.']);
});

test('an answer looks back on the last 20 messages at most, oldest first', async () => {
  let asked = await ask({ question: 'q1' });
  for (let n = 2; n <= 13; n++) {
    await answer(asked, `a${n - 1}`);
    asked = { ...asked, ...(await ask({ ...asked, question: `q${n}` })) };
  }
  expect(asked.history).toHaveLength(20);
  expect([asked.history[0]!.message, asked.history[19]!.message]).toEqual(['q3', 'a12']);
});

test('the same operation, tried again after the answer, is given the turn with its answer', async () => {
  const operation = randomId();
  const asked = await ask({ operation });
  await answer(asked, 'Because.');
  const again = await ask({ ...asked, session: '', operation });
  expect(again.turn).toMatchObject({ id: asked.turn.id, threadId: asked.turn.threadId, n: 1 });
  expect(again.turn.answer).toMatchObject({ message: 'Because.', sources: [{ n: 1, url: 'https://t.example' }] });
});

test('the same operation twice at once makes one turn: the second waits for the answer of the first', async () => {
  const place = { account: randomId(), assistant: randomId(), operation: randomId() };
  const both = [ask(place), ask(place)];
  const first = await Promise.race(both);
  await answer(first, 'Once.');
  const given = await Promise.all(both);
  expect(given.map(({ turn }) => turn.answer?.message).sort()).toEqual(['Once.', undefined]);
  expect(await turns.countDocuments({ account: place.account })).toBe(1);
});

test('two questions at once in one session are answered one after the other, each next to its answer', async () => {
  const opening = await ask({ question: 'q0' });
  await answer(opening, 'a0');
  const both = ['q1', 'q2'].map(async (question) => {
    const asked = await ask({ ...opening, question });
    expect(await turns.countDocuments({ account: opening.account, state: 'pending' })).toBe(1);
    await answer(asked, `a${question.slice(1)}`);
  });
  await Promise.all(both);
  const said = await transcript(opening);
  expect(said.slice(0, 2)).toEqual(['user: q0', 'assistant: a0']);
  expect([said.slice(2, 4), said.slice(4)].sort()).toEqual([
    ['user: q1', 'assistant: a1'],
    ['user: q2', 'assistant: a2'],
  ]);
});

test('many first questions of one operation and many of one session leave no gap and no double', async () => {
  const opening = await ask();
  await answer(opening, 'a');
  const operations = Array.from({ length: 6 }, randomId);
  await Promise.all(
    [...operations, ...operations].map(async (operation) => {
      const asked = await ask({ ...opening, operation, question: operation, timeoutMs: 20_000 });
      if (!asked.turn.answer) await answer(asked, `to ${operation}`);
    }),
  );
  const stored = await turns.find({ account: opening.account }).sort({ n: 1 }).toArray();
  expect(stored.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  for (const turn of stored.slice(1)) expect(turn.answer?.message).toBe(`to ${turn._id}`);
});

test('a question that waits in vain until its deadline is refused in words, and not stored', async () => {
  const pending = await ask();
  await expect(ask({ ...pending, question: 'And?', timeoutMs: 2_000 })).rejects.toMatchObject({
    code: Code.Unavailable,
    rawMessage: expect.stringContaining('still being answered'),
  });
  expect(await turns.countDocuments({ account: pending.account })).toBe(1);
});

test('an expired turn is taken over, and the late answer of its first owner is refused', async () => {
  const operation = randomId();
  const first = await ask({ operation });
  await endLease(first.turn.id);
  const second = await ask({ ...first, session: '', operation });
  expect(second.turn).toMatchObject({ id: first.turn.id, n: 1, fence: 2 });
  await expect(answer(first, 'Late.')).rejects.toMatchObject({ code: Code.Aborted });
  await expect(
    conversations.extendTurn(
      { turnId: first.turn.id, fence: 1, lease: durationFromMs(5_000) },
      call({ account: first.account }).onward(),
    ),
  ).rejects.toMatchObject({ code: Code.Aborted });
  await answer(second, 'In time.');
  expect(await transcript(first)).toEqual(['user: Why?', 'assistant: In time.']);
});

test('a turn whose owner died does not hold up the next question', async () => {
  const dead = await ask({ question: 'q1' });
  await endLease(dead.turn.id);
  const next = await ask({ ...dead, question: 'q2' });
  await answer(next, 'a2');
  expect(await transcript(dead)).toEqual(['user: q1', 'user: q2', 'assistant: a2']);
  await expect(answer(dead, 'Late.')).rejects.toMatchObject({ code: Code.Aborted });
});

test('a question given up is answered in its own place when its operation comes back, whatever was said since', async () => {
  const operation = randomId();
  const opening = await ask({ question: 'q1' });
  await answer(opening, 'a1');
  const failed = await ask({ ...opening, question: 'q2', operation });
  await abandon(failed);
  await answer(await ask({ ...opening, question: 'q3' }), 'a3');
  const again = await ask({ ...opening, question: 'q2', operation });
  expect(again.history.map((m) => m.message)).toEqual(['q1', 'a1']);
  await answer(again, 'a2');
  expect((await transcript(opening)).join(' ')).toBe(
    'user: q1 assistant: a1 user: q2 assistant: a2 user: q3 assistant: a3',
  );
});

test('an answer that is sent again by the same claim is stored once; another claim’s never replaces it', async () => {
  const asked = await ask();
  await answer(asked, 'First.');
  await answer(asked, 'Again.');
  await abandon(asked);
  expect(await transcript(asked)).toEqual(['user: Why?', 'assistant: First.']);
});

test('a turn is kept by extending it', async () => {
  const asked = await ask({ leaseMs: 1_000 });
  const before = (await turns.findOne({ _id: asked.turn.id }))!.until!;
  await conversations.extendTurn(
    { turnId: asked.turn.id, fence: 1, lease: durationFromMs(60_000) },
    call({ account: asked.account }).onward(),
  );
  expect((await turns.findOne({ _id: asked.turn.id }))!.until!.getTime()).toBeGreaterThan(before.getTime() + 50_000);
});

test('a session of another chatbot or another account is no session', async () => {
  const asked = await ask();
  await answer(asked, 'a');
  for (const elsewhere of [
    { assistant: randomId() },
    { account: randomId() },
    { session: randomId() },
    { session: 'x' },
  ])
    await expect(ask({ ...asked, ...elsewhere })).rejects.toMatchObject({ code: Code.NotFound });
});

test('another account can neither answer, keep nor give up a turn', async () => {
  const asked = await ask();
  const stranger = { ...asked, account: randomId() };
  await expect(answer(stranger, 'Mine.')).rejects.toMatchObject({ code: Code.Aborted });
  await abandon(stranger);
  expect((await turns.findOne({ _id: asked.turn.id }))!.state).toBe('pending');
});

test('an operation that has asked one question cannot ask another', async () => {
  const operation = randomId();
  const asked = await ask({ operation });
  for (const other of [{ question: 'Else?' }, { assistant: randomId() }])
    await expect(ask({ ...asked, session: '', operation, ...other })).rejects.toMatchObject({
      code: Code.AlreadyExists,
    });
});

test('a conversation ends at 500 turns, or at what one answer of a service can hold, and says to begin a new one', async () => {
  for (const full of [{ n: 500 }, { bytes_before: MAX_BYTES }]) {
    const asked = await ask();
    await answer(asked, 'a');
    await turns.updateOne({ _id: asked.turn.id }, { $set: full });
    await expect(ask({ ...asked, question: 'One more?' })).rejects.toMatchObject({
      code: Code.FailedPrecondition,
      rawMessage: expect.stringContaining('new session'),
    });
  }
});

test('blank and overlong questions and leases out of bounds are refused, and nothing is stored', async () => {
  const account = randomId();
  for (const wrong of [{ question: ' \n' }, { question: '🙂'.repeat(10_001) }, { leaseMs: 999 }, { leaseMs: 60_001 }])
    await expect(ask({ account, ...wrong })).rejects.toMatchObject({ code: Code.InvalidArgument });
  await ask({ account, question: '🙂'.repeat(10_000) });
  expect(await turns.countDocuments({ account })).toBe(1);
});

test('a question that is data to the database is stored as it was sent', async () => {
  const asked = await ask({ question: '$$NOW' });
  await answer(asked, '$question');
  expect(await transcript(asked)).toEqual(['user: $$NOW', 'assistant: $question']);
});

test('a turn has its chat when it ends, also where the process that began it died before making that', async () => {
  const replica = await startConversations();
  const ends = {
    answered: (asked: Asking) => answer(asked, 'Because.', replica),
    unanswered: (asked: Asking) => abandon(asked, replica),
  };
  for (const [state, end] of Object.entries(ends)) {
    const asked = await ask();
    await loseChat(asked);
    await end(asked);
    expect(await turns.findOne({ _id: asked.turn.id })).toMatchObject({ state });
    expect((await transcript(asked))[0]).toBe('user: Why?');
  }
});

test('what a process that died has left, the sweeper makes good: the chat exists, and its turn is given up', async () => {
  const asked = await ask();
  await loseChat(asked);
  await endLease(asked.turn.id);
  await until(async () => (await turns.findOne({ _id: asked.turn.id, until: { $exists: false } })) !== null);
  expect(await transcript(asked)).toEqual(['user: Why?']);
  expect((await turns.findOne({ _id: asked.turn.id }))!.state).toBe('unanswered');
});
