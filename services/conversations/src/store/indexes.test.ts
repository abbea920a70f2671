import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLog, randomId } from '@parley/runtime';
import { openMongo } from '@parley/runtime/mongo';
import { examined, freshDatabase } from '@parley/runtime/testing';
import { MongoClient } from 'mongodb';
import { migrations } from './migrations.ts';
import { storesOn } from './testing/threads.ts';

const database = freshDatabase();
const client = new MongoClient(database.uri, { monitorCommands: true });
const db = client.db(database.name);
const { threads, removal } = storesOn(db);
const [account, assistant] = [randomId(), randomId()];
const place = { account, kind: 'ticket', assistant } as const;
const STATUSES = ['open', 'assigned', 'need_more_info', 'resolved', 'closed'];

beforeAll(async () => {
  const config = { uri: database.uri, database: database.name };
  const mongo = openMongo(config, migrations, createLog('test', 'silent'));
  await mongo.start?.(new AbortController().signal);
  await mongo.stop?.();
  const at = (i: number) => new Date(Date.UTC(2026, 0, 1) + i * 3_600_000);
  const tickets = Array.from({ length: 1_000 }, (_, i) => ({
    _id: randomId(),
    ...place,
    address: `a${i % 10}@example.com`,
    status: STATUSES[i % 5]!,
    blocked_at: null,
    created_at: at(i),
    deleted_at: null,
  }));
  await db.collection<{ _id: string }>('threads').insertMany(tickets);
});
afterAll(async () => {
  await client.close();
  await database.drop();
});

test('a page by status and dates reads few more documents than it shows, and its total reads none', async () => {
  const filter = { statuses: ['open', 'closed'], after: new Date('2026-01-05'), before: new Date('2026-02-01') };
  const reads = await examined(client, () => threads.list(place, filter, { limit: 25, nextCursor: '' }));
  const found = reads.find(({ read }) => read === 'find threads')!;
  expect(found).toMatchObject({ returned: 26 });
  expect(found.documents).toBeLessThan(60);
  expect(found.keys).toBeLessThan(100);
  const count = reads.find(({ read }) => read === 'aggregate threads')!;
  expect(count.documents).toBe(0);
  expect(count.keys).toBeLessThan(300);
});

test('what was said is read without the changes between, and the changes without what was said', async () => {
  const thread = { _id: randomId(), account, n: 1_000, last: null };
  const entries = Array.from({ length: 1_000 }, (_, i) => ({
    _id: randomId(),
    thread: thread._id,
    account,
    n: i + 1,
    by: i % 100 === 0 ? 'user' : 'system',
  }));
  await db.collection<{ _id: string }>('entries').insertMany(entries);
  const [said] = await examined(client, () => threads.entries.of(thread, { said: true }));
  expect(said).toMatchObject({ returned: 10, documents: 10 });
  const [changes] = await examined(client, () => threads.entries.changes(thread, { limit: 25, nextCursor: '' }));
  expect(changes).toMatchObject({ returned: 26, documents: 26 });
});

test('a ticket that never opened is removed by the database', async () => {
  const indexes = await db.collection('threads').indexes();
  expect(indexes.find(({ key }) => 'pending_since' in key)).toMatchObject({ expireAfterSeconds: 3_600 });
});

test('a deleted assistant leaves nothing behind but a tombstone; other assistants keep theirs', async () => {
  const other = randomId();
  await threads.open(threads.collection.unlisted, account, { _id: other, kind: 'ticket', assistant: other });
  await removal.forget(account, assistant);
  expect(await removal.sweep(account, assistant, { settleMs: 0 })).toBe(true);
  expect((await threads.collection.find({ account }).toArray()).map(({ _id }) => _id)).toEqual([other]);
  expect(await threads.deletedAssistants.isDeleted(account, assistant)).toBe(true);
});
