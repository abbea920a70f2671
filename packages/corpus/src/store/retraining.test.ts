import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime';
import { examined } from '@parley/runtime/testing';
import { MongoClient } from 'mongodb';
import { corpusWorld, published } from '../testing.ts';
import { createCorpus } from './corpus.ts';
import { queueDue } from './retraining.ts';

const HOUR_MS = 3_600_000;

let world: Awaited<ReturnType<typeof corpusWorld>>;
let client: MongoClient;
beforeAll(async () => {
  world = await corpusWorld();
  client = new MongoClient(world.uri, { monitorCommands: true });
});
afterEach(() => world.emptyQueue());
afterAll(async () => {
  await client.close();
  await world.close();
});

const account = randomId();
const every = (id: string, retrain_every: number | null) => world.corpus.items.update(account, id, { retrain_every });

/** A website whose first training has ended. */
async function trained(outcome: 'completed' | 'failed' = 'completed'): Promise<string> {
  const { _id } = await world.website(account);
  const job = await world.begin(account, _id);
  if (outcome === 'completed') await world.corpus.training.publish(job, published());
  else await world.corpus.training.fail(job, 'No.');
  return _id;
}

/** As if everything stored had happened some hours earlier. */
async function pass(id: string, hours: number) {
  const earlier = (field: string) => ({
    $cond: [{ $eq: [{ $type: `$${field}` }, 'date'] }, { $subtract: [`$${field}`, hours * HOUR_MS] }, `$${field}`],
  });
  const before = (await world.stored(id))!;
  const fields = ['trained_at', 'training_failed_at', 'retrain_due'].filter((field) => field in before);
  const moved = Object.fromEntries(fields.map((field) => [field, earlier(field)]));
  await world.corpus.collections.items.unlisted.updateOne({ _id: id }, [{ $set: moved }]);
}

const queuedIds = async () =>
  (await world.corpus.collections.items.find({ 'training.state': 'queued' }).toArray()).map(({ _id }) => _id);

test('a website trains again when its last training, completed or failed, ended that many hours ago, and not before', async () => {
  const [completed, failed] = [await trained('completed'), await trained('failed')];
  for (const id of [completed, failed]) {
    await every(id, 24);
    await pass(id, 23);
  }
  await queueDue(world.corpus.collections);
  expect(await queuedIds()).toEqual([]);
  for (const id of [completed, failed]) await pass(id, 1);
  await queueDue(world.corpus.collections);
  expect((await queuedIds()).sort()).toEqual([completed, failed].sort());
  const item = await world.stored(completed);
  expect(item).toMatchObject({ generation: 2, trained_at: null, live: expect.anything(), training: { attempts: 0 } });
  expect(item!.outbox!.map(({ payload }) => payload.case)).toEqual([
    'knowledgeItemCreated',
    'trainingQueued',
    'trainingCompleted',
    'knowledgeItemChanged',
    'trainingQueued',
  ]);
});

test('setting and clearing it takes effect at once', async () => {
  const id = await trained();
  await pass(id, 5);
  await queueDue(world.corpus.collections);
  expect(await queuedIds()).toEqual([]);
  await every(id, 5);
  await every(id, null);
  await queueDue(world.corpus.collections);
  expect(await queuedIds()).toEqual([]);
  await every(id, 6);
  await queueDue(world.corpus.collections);
  expect(await queuedIds()).toEqual([]);
  await every(id, 5);
  await queueDue(world.corpus.collections);
  expect(await queuedIds()).toEqual([id]);
});

test('each training begins the wait for the next, and a change during one counts from its end', async () => {
  const id = await trained();
  const job = await world.begin(account, id);
  await every(id, 2);
  await pass(id, 3);
  await queueDue(world.corpus.collections);
  expect((await world.stored(id))!.training).toMatchObject({ state: 'running', fence: job.fence, again: false });
  await world.corpus.training.fail(job, 'No.');
  for (const generation of [3, 4]) {
    await pass(id, 1);
    await queueDue(world.corpus.collections);
    expect(await queuedIds()).toEqual([]);
    await pass(id, 1);
    await queueDue(world.corpus.collections);
    expect(await world.stored(id)).toMatchObject({ generation, training: { state: 'queued' } });
    await world.corpus.training.publish((await world.corpus.training.claim())!, published());
  }
});

test('a website that was never trained, is queued, or is deleted, is left alone', async () => {
  const { _id: untrained } = await world.website(account);
  const [waiting, deleted] = [await trained(), await trained()];
  for (const id of [untrained, waiting, deleted]) await every(id, 1);
  for (const id of [untrained, waiting, deleted]) await pass(id, 2);
  await world.corpus.training.request(account, waiting, randomId());
  await world.corpus.items.delete(account, deleted, randomId());
  const before = await Promise.all([untrained, waiting, deleted].map(world.stored));
  await queueDue(world.corpus.collections);
  // Even if the times were wrong.
  await world.corpus.collections.items.unlisted.updateMany(
    { _id: { $ne: untrained } },
    { $set: { retrain_due: new Date(0) } },
  );
  await queueDue(world.corpus.collections);
  const after = await Promise.all([untrained, waiting, deleted].map(world.stored));
  expect(after.map((item) => item!.generation)).toEqual([0, 2, 1]);
  expect(after.map((item) => item!.training)).toEqual(before.map((item) => item!.training));
});

test('several replicas queue a training once, and each training has its own operation', async () => {
  const ids = [await trained(), await trained()];
  const operations = new Set<unknown>();
  for (const id of ids) {
    await every(id, 1);
    await pass(id, 1);
  }
  await Promise.all(Array.from({ length: 4 }, () => queueDue(world.corpus.collections)));
  for (const id of ids) {
    const item = (await world.stored(id))!;
    expect(item.generation).toBe(2);
    expect(item.outbox!.filter(({ payload }) => payload.case === 'trainingQueued')).toHaveLength(2);
    operations.add(item.training.operation);
  }
  expect(operations.size).toBe(2);
});

test('a round queues a bounded number, and reads only what is due', async () => {
  const { items } = world.corpus.collections;
  const template = (await world.stored(await trained()))!;
  const made = (due: Date) => ({ ...template, _id: randomId(), retrain_due: due });
  const later = new Date(Date.now() + HOUR_MS);
  await items.unlisted.insertMany(Array.from({ length: 300 }, () => made(later)));
  await items.unlisted.insertMany(Array.from({ length: 150 }, () => made(new Date(0))));
  const [read] = await examined(client, () => queueDue(createCorpus(client.db(world.database)).collections));
  expect(read).toMatchObject({ returned: 50, documents: 50 });
  expect(await queuedIds()).toHaveLength(100);
  expect(await queueDue(world.corpus.collections)).toBe(false);
  expect(await queuedIds()).toHaveLength(150);
});

test('a website whose vectors are being renewed trains again afterwards, or at once if that worker has died', async () => {
  const id = await trained();
  await every(id, 1);
  await pass(id, 1);
  const job = (await world.corpus.reembedding.claim(['new']))!;
  await queueDue(world.corpus.collections);
  expect(await queuedIds()).toEqual([]);
  await world.expire(id);
  await queueDue(world.corpus.collections);
  expect(await queuedIds()).toEqual([id]);
  expect(await world.corpus.training.renew(job)).toBe(false);
});
