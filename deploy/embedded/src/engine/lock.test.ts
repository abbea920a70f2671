import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { startEngine } from './start-engine.ts';

test('while the engine is locked, any number of writes wait, reads go on, and unlocking lets all of them through', async () => {
  await using stops = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-lock-'));
  stops.defer(() => rm(dataDir, { recursive: true, force: true }));
  const engine = await startEngine({ dataDir });
  stops.defer(engine.stop);
  const client = new MongoClient(engine.uri);
  stops.defer(() => client.close());
  const things = client.db('locked').collection<{ _id: number }>('things');
  await things.insertOne({ _id: -1 });
  await client.db('admin').command({ fsync: 1, lock: true });
  const writes = Array.from({ length: 40 }, (_, _id) => things.insertOne({ _id }));
  const changed = things.findOneAndUpdate({ _id: -1 }, { $set: { changed: true } }, { returnDocument: 'after' });
  for (let i = 0; i < 20; i++) expect(await things.find().toArray()).toEqual([{ _id: -1 }]);
  await client.db('admin').command({ fsyncUnlock: 1 });
  await Promise.all(writes);
  expect(await changed).toEqual({ _id: -1, changed: true });
  expect(await things.countDocuments()).toBe(41);
});
