import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { freshDatabase } from '@parley/runtime/testing';
import { Binary, type Document, MongoClient } from 'mongodb';
import { removeExpired } from './remove-expired.ts';

/** Tests the features that the services rely on: the engine lacks sessions and some features of a server. */
const database = freshDatabase();
const client = new MongoClient(database.uri, { retryWrites: false });
const db = client.db(database.name);
afterAll(async () => {
  await client.close();
  await database.drop();
});

interface Chat {
  _id: string;
  seq: number;
  outbox: { id: string; seq: number }[];
}

interface Doc extends Document {
  _id: string;
}

test('a client that uses the write concern of the address waits for the journal', async () => {
  expect(client.options.writeConcern).toMatchObject({ w: 1, journal: true });
  const things = db.collection<Doc>('concerns', { readConcern: { level: 'majority' } });
  await things.insertOne({ _id: randomUUID() });
  expect(await things.countDocuments()).toBe(1);
});

test('a unique partial index binds only the documents it covers', async () => {
  const turns = db.collection<Doc>('turns');
  await turns.createIndex({ thread: 1 }, { unique: true, partialFilterExpression: { state: 'pending' } });
  await turns.insertOne({ _id: 'a', thread: 1, state: 'done' });
  await turns.insertOne({ _id: 'b', thread: 1, state: 'pending' });
  await expect(turns.insertOne({ _id: 'c', thread: 1, state: 'pending' })).rejects.toMatchObject({ code: 11000 });
});

test('a partial index can filter on null, as tombstones need', async () => {
  const items = db.collection<Doc>('items');
  await items.createIndex({ name: 1 }, { unique: true, partialFilterExpression: { deleted_at: null } });
  await items.insertOne({ _id: 'a', name: 'x', deleted_at: new Date() });
  await items.insertOne({ _id: 'b', name: 'x', deleted_at: null });
  await expect(items.insertOne({ _id: 'c', name: 'x', deleted_at: null })).rejects.toMatchObject({ code: 11000 });
});

test('a lease is taken and compared by the database’s clock', async () => {
  const jobs = db.collection<Doc>('jobs');
  await jobs.insertOne({ _id: 'job', until: new Date(0), fence: 0 });
  const claim = () =>
    jobs.findOneAndUpdate(
      { _id: 'job', $expr: { $lt: ['$until', '$$NOW'] } },
      [{ $set: { until: { $add: ['$$NOW', 30_000] }, fence: { $add: ['$fence', 1] }, note: { $literal: '$fence' } } }],
      { returnDocument: 'after' },
    );
  const claimed = await claim();
  expect(claimed).toMatchObject({ fence: 1, note: '$fence' });
  expect(Math.abs(claimed!.until.getTime() - Date.now() - 30_000)).toBeLessThan(5_000);
  expect(await claim()).toBeNull();
});

test('an update pipeline upserts, and $currentDate sets the time', async () => {
  const leases = db.collection<Doc>('leases');
  await leases.updateOne({ _id: 'one' }, [{ $set: { at: '$$NOW' } }], { upsert: true });
  await leases.updateOne({ _id: 'two' }, { $currentDate: { created_at: true } }, { upsert: true });
  expect((await leases.findOne({ _id: 'one' }))?.at).toBeInstanceOf(Date);
  expect((await leases.findOne({ _id: 'two' }))?.created_at).toBeInstanceOf(Date);
});

test('an outbox is pushed with its sequence number and pulled by ids', async () => {
  const chats = db.collection<Chat>('chats');
  await chats.insertOne({ _id: 'chat', seq: 0, outbox: [] });
  for (const id of ['a', 'b']) {
    await chats.updateOne({ _id: 'chat' }, [
      { $set: { seq: { $add: ['$seq', 1] } } },
      { $set: { outbox: { $concatArrays: ['$outbox', [{ id, seq: '$seq' }]] } } },
    ]);
  }
  await chats.updateOne({ _id: 'chat' }, { $pull: { outbox: { id: { $in: ['a'] } } } });
  expect(await chats.findOne({ _id: 'chat' })).toMatchObject({ seq: 2, outbox: [{ id: 'b', seq: 2 }] });
});

test('bulk writes report their counts', async () => {
  const result = await db
    .collection<Doc>('bulk')
    .bulkWrite(
      [
        { insertOne: { document: { _id: 'a' } } },
        { updateOne: { filter: { _id: 'b' }, update: { $inc: { n: 1 } }, upsert: true } },
        { deleteOne: { filter: { _id: 'a' } } },
      ],
      { ordered: false },
    );
  expect(result).toMatchObject({ insertedCount: 1, upsertedCount: 1, deletedCount: 1 });
});

test('$facet returns a page and its total', async () => {
  const pages = db.collection<Doc>('pages');
  await pages.insertMany(Array.from({ length: 30 }, (_, i) => ({ _id: randomUUID(), i })));
  const [answer] = await pages
    .aggregate([
      { $match: { i: { $gte: 5 } } },
      { $facet: { page: [{ $sort: { i: 1 } }, { $limit: 3 }], total: [{ $count: 'n' }] } },
    ])
    .toArray();
  expect(answer).toMatchObject({ page: [{ i: 5 }, { i: 6 }, { i: 7 }], total: [{ n: 25 }] });
});

test('binary vectors come back byte for byte', async () => {
  const vector = new Int8Array(384).map((_, i) => i % 256);
  await db.collection<Doc>('vectors').insertOne({ _id: 'v', vector: new Binary(Buffer.from(vector.buffer)) });
  const found = await db.collection<Doc>('vectors').findOne({ _id: 'v' });
  expect(new Int8Array(found!.vector.buffer)).toEqual(vector);
});

test('a TTL index removes only documents that it covers and that have expired', async () => {
  const sessions = db.collection<Doc>('sessions');
  await sessions.createIndex({ at: 1 }, { expireAfterSeconds: 60, partialFilterExpression: { done: true } });
  const expired = new Date(Date.now() - 61_000);
  await sessions.insertMany([
    { _id: 'expired', at: expired, done: true },
    { _id: 'not covered', at: expired, done: false },
    { _id: 'fresh', at: new Date(), done: true },
    { _id: 'undated', at: 0, done: true },
  ]);
  await removeExpired(client);
  expect(await sessions.distinct('_id')).toEqual(['fresh', 'not covered', 'undated']);
});

test('a query that several indexes could serve succeeds, even if none of them is quick', async () => {
  const many = db.collection<Doc>('many');
  await many.createIndexes([{ key: { a: 1, b: 1 } }, { key: { a: 1, c: 1 } }]);
  const documents = Array.from({ length: 12_000 }, () => ({ _id: randomUUID(), a: 1, b: 1, c: 1 }));
  await many.insertMany(documents);
  expect(await many.findOne({ a: 1, b: 1, c: 1, d: 1 })).toBeNull();
});

test('a text index finds words', async () => {
  const chunks = db.collection<Doc>('chunks');
  await chunks.createIndex({ text: 'text' });
  await chunks.insertMany([
    { _id: 'a', text: 'Packages are installed with apt' },
    { _id: 'b', text: 'The kernel' },
  ]);
  expect(await chunks.find({ $text: { $search: 'installing a package' } }).toArray()).toMatchObject([{ _id: 'a' }]);
});
