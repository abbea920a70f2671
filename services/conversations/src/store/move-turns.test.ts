import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freshDatabase } from '@parley/embedded/testing';
import { deriveId, randomId } from '@parley/runtime/rpc';
import { MongoClient } from 'mongodb';
import { migrations } from './migrations.ts';
import type { EntryDoc, ThreadDoc } from './model.ts';
import { type ChatDoc, moveTurns, type TurnDoc } from './move-turns.ts';
import { storesOn } from './testing/threads.ts';

const database = freshDatabase();
const client = new MongoClient(database.uri, { retryWrites: false });
const db = client.db(database.name);
const [chats, turns] = [db.collection<ChatDoc>('chats'), db.collection<TurnDoc>('turns')];
const never = new AbortController().signal;
const { threads, questions, claims, entries } = storesOn(db);
const account = randomId();
const assistant = randomId();

beforeAll(async () => {
  for (const { run } of migrations) await run(db, never);
});
afterAll(async () => {
  await client.close();
  await database.drop();
});

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds));
const source = { n: 1, title: 'T', url: 'https://t.example' };

/** A turn as the earlier version stored it. */
const turn = (thread: string, operation: string, n: number, second: number, more: Partial<TurnDoc> = {}): TurnDoc => ({
  _id: operation,
  assistant,
  thread,
  n,
  question: `q${n}`,
  bytes_before: 4 * (n - 1),
  account,
  answer: { message: `a${n}`, sources: [source] },
  state: 'answered',
  fence: 1,
  created_at: at(second),
  updated_at: at(second + 1),
  ...more,
});

/** A chat as the earlier version stored it, after its event was published. */
const chat = (operation: string, second: number, more: Partial<ChatDoc> = {}): ChatDoc => ({
  _id: deriveId(operation, 'chat'),
  account,
  assistant,
  session_id: deriveId(operation, 'session'),
  deleted_at: null,
  created_at: at(second),
  seq: 1,
  outbox: [],
  ...more,
});

/** Everything the earlier version left behind: chats by the operation that started each. */
function landed() {
  const [several, unanswered, pending, unmade, second] = Array.from({ length: 5 }, randomId) as Five;
  const id = (operation: string) => deriveId(operation, 'chat');
  const until = new Date(Date.now() + 60_000);
  const fact = { case: 'chatStarted', value: { chatbotId: assistant } } as const;
  const outbox = [{ id: randomId(), seq: 1, at: at(20), fact }];
  const failed = { answer: null, state: 'unanswered' } as const;
  const documents = {
    chats: [chat(several, 0), chat(unanswered, 10), chat(pending, 20, { outbox, outbox_due: at(20) })],
    turns: [
      turn(id(several), several, 1, 0),
      turn(id(several), second, 2, 5, failed),
      turn(id(several), randomId(), 3, 7, { fence: 4 }),
      turn(id(unanswered), unanswered, 1, 10, { ...failed, fence: 2 }),
      turn(id(pending), pending, 1, 20, { answer: null, state: 'pending', until, updated_at: at(20) }),
      // Its process died before it created the chat.
      turn(id(unmade), unmade, 1, 30, { answer: null, state: 'pending', until: at(31), updated_at: at(30) }),
    ],
  };
  return { several, second, unanswered, pending, unmade, until, outbox, id, documents };
}
type Five = [string, string, string, string, string];

async function store({ documents }: ReturnType<typeof landed>) {
  await chats.insertMany(documents.chats);
  await turns.insertMany(documents.turns);
}

const empty = () =>
  Promise.all(['chats', 'turns', 'threads', 'entries'].map((name) => db.collection(name).deleteMany({})));

test('chats and turns of the earlier version can be read, listed, continued and answered as before', async () => {
  const before = landed();
  const { several, second, unanswered, pending, unmade, until, outbox, id } = before;
  await store(before);
  await moveTurns(db, never);
  expect([await chats.countDocuments(), await turns.countDocuments()]).toEqual([0, 0]);

  const read = async (operation: string) => {
    const thread = await threads.find({ account, kind: 'chat', assistant, id: id(operation) });
    const said = await entries.of(thread);
    expect(thread).toMatchObject({ session_id: deriveId(operation, 'session'), n: said.length, last: said.at(-1) });
    return { thread, said: said.map(({ n, by, text }) => `${n} ${by} ${text}`) };
  };
  const first = await read(several);
  expect(first.said).toEqual(['1 user q1', '2 ai a1', '3 user q2', '4 user q3', '5 ai a3']);
  expect(first.thread).toMatchObject({ created_at: at(0), updated_at: at(8), questions: 3, bytes: 10, fence: 4 });
  expect(first.thread).toMatchObject({ pending: null, failed: null, seq: 1, outbox: [] });
  expect((await read(unanswered)).thread).toMatchObject({ pending: null, failed: unanswered, updated_at: at(11) });
  const third = (await read(pending)).thread;
  expect(third).toMatchObject({ pending: { entry: pending, fence: 1, until }, outbox, outbox_due: at(20) });
  const made = (await read(unmade)).thread;
  expect(made).toMatchObject({ created_at: at(30), updated_at: at(30), seq: 1, outbox_due: at(30) });
  expect(made.outbox).toMatchObject([{ seq: 1, fact: { case: 'chatStarted', value: { chatbotId: assistant } } }]);

  const listed = await threads.list({ account, kind: 'chat', assistant }, {}, { limit: 0, nextCursor: '' });
  expect(listed.items.map(({ _id }) => _id)).toEqual([unmade, pending, unanswered, several].map(id));
  expect(listed.total).toBe(4);

  // Retries of an answered and of a failed operation, and a new question in an old session.
  const chatOfSeveral = await threads.bySession(account, assistant, deriveId(several, 'session'));
  expect((await questions.ask(chatOfSeveral, { op: several, text: 'q1' }, 1_000))?.answer).toMatchObject({
    text: 'a1',
    sources: [source],
  });
  const again = (await questions.ask(chatOfSeveral, { op: second, text: 'q2' }, 30_000))!;
  expect(again.thread.fence).toBe(5);
  await claims.answer(account, { thread: id(several), entry: second, fence: 5 }, { text: 'a2', sources: [] });
  const now = await threads.thread(account, id(several));
  expect(await questions.ask(now, { op: randomId(), text: 'q4' }, 30_000)).toMatchObject({ question: { n: 7 } });
  await empty();
});

const sorted = <T extends { _id: string }>(name: string) => db.collection<T>(name).find().sort({ _id: 1 }).toArray();
const moved = async () => ({ threads: await sorted<ThreadDoc>('threads'), entries: await sorted<EntryDoc>('entries') });

test('a move that died at any point is finished by the next one, with nothing lost or duplicated', async () => {
  const before = landed();
  await store(before);
  await moveTurns(db, never);
  const whole = await moved();
  await empty();

  const dead: Record<string, () => Promise<unknown>> = {
    'before its first write': async () => {},
    'with half of the entries': () => db.collection<EntryDoc>('entries').insertMany(whole.entries.slice(0, 3) as never),
    'with all but the removal': copyAll,
    'after chats were removed': () => copyAll().then(() => chats.deleteMany({})),
    'after some turns were removed': () =>
      copyAll().then(() =>
        Promise.all([chats.deleteMany({}), turns.deleteMany({ thread: before.id(before.pending) })]),
      ),
  };
  async function copyAll() {
    await db.collection<EntryDoc>('entries').insertMany(whole.entries as never);
    await db.collection<ThreadDoc>('threads').insertMany(whole.threads as never);
  }
  for (const [when, die] of Object.entries(dead)) {
    await store(before);
    await die();
    await moveTurns(db, never);
    await moveTurns(db, never);
    expect({ when, ...(await moved()) }).toEqual({ when, ...whole });
    expect([await chats.countDocuments(), await turns.countDocuments()]).toEqual([0, 0]);
    await empty();
  }
});

test('more than one batch is moved, in whole chats', async () => {
  const operations = Array.from({ length: 7 }, randomId);
  for (const operation of operations) {
    const first = chat(operation, 0);
    await chats.insertOne(first);
    const own = Array.from({ length: 200 }, (_, i) => turn(first._id, i ? randomId() : operation, i + 1, i));
    await turns.insertMany(own);
  }
  await moveTurns(db, never);
  for (const operation of operations) {
    const thread = await threads.thread(account, deriveId(operation, 'chat'));
    expect(thread.questions).toBe(200);
    expect((await entries.of(thread)).map(({ n }) => n)).toEqual(Array.from({ length: 400 }, (_, i) => i + 1));
  }
  await empty();
});

test('a page of chats reads no more documents than it shows, and its total reads none', async () => {
  const opened = Array.from({ length: 200 }, () => threads.open(account, { _id: randomId(), kind: 'chat', assistant }));
  await Promise.all(opened);
  const filter = { account, kind: 'chat', assistant, deleted_at: null };
  const { executionStats } = await db
    .collection('threads')
    .find(filter)
    .sort({ created_at: -1, _id: -1 })
    .limit(26)
    .explain('executionStats');
  expect(executionStats).toMatchObject({ totalDocsExamined: 26, totalKeysExamined: 26 });
  const count = [{ $match: filter }, { $group: { _id: 1, n: { $sum: 1 } } }];
  const counted = await db.collection('threads').aggregate(count).explain('executionStats');
  expect(JSON.stringify(counted)).toContain('"totalDocsExamined":0');
  await empty();
});
