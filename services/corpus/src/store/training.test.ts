import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime';
import { chunk, corpusWorld } from '../testing.ts';
import type { TrainingStore } from './training.ts';

let world: Awaited<ReturnType<typeof corpusWorld>>;
let training: TrainingStore;
beforeAll(async () => {
  world = await corpusWorld();
  training = world.corpus.training;
});
beforeEach(() => world.emptyQueue());
afterAll(() => world.close());

async function queued(account: string) {
  const { _id } = await world.website(account);
  await training.request(account, _id, randomId());
  return _id;
}

test('an account with a long queue does not hold up another: the fewest running jobs come first, then the oldest', async () => {
  const [busy, other] = [randomId(), randomId()];
  const first = await queued(busy);
  const second = await queued(busy);
  const third = await queued(busy);
  const late = await queued(other);
  const claimed: (string | undefined)[] = [];
  for (let i = 0; i < 5; i++) claimed.push((await training.claim())?.item);
  expect(claimed).toEqual([first, late, second, third, undefined]);
});

test('many workers at once never claim one job twice', async () => {
  const account = randomId();
  const items = [await queued(account), await queued(account), await queued(randomId())];
  const claims = await Promise.all(Array.from({ length: 8 }, () => training.claim()));
  expect(claims.flatMap((job) => job?.item ?? []).sort()).toEqual(items.sort());
});

test('a training whose worker died three times is failed with a sentence, and does not stop the queue', async () => {
  const account = randomId();
  const poison = await queued(account);
  for (let died = 0; died < 3; died++) {
    expect((await training.claim())?.item).toBe(poison);
    await world.expire(poison);
  }
  const next = await queued(account);
  expect((await training.claim())?.item).toBe(next);
  const failed = await world.stored(poison);
  expect(failed).toMatchObject({
    training: { state: 'idle' },
    training_failed_with: expect.stringContaining('3 times'),
  });
  expect(failed!.outbox!.at(-1)!.fact.case).toBe('trainingFailed');
});

test('a worker that stops cleanly gives its job back unharmed, however often', async () => {
  const item = await queued(randomId());
  for (let stops = 0; stops < 6; stops++) {
    const job = await training.claim();
    expect(job?.item).toBe(item);
    expect(await training.release(job!)).toBe(true);
  }
});

test('the same operation that asked for a training starts no second one, not even after the first has ended', async () => {
  const account = randomId();
  const { _id } = await world.website(account);
  const operation = randomId();
  await training.request(account, _id, operation);
  const job = await training.claim();
  await training.publish(job!, null);
  expect(await training.request(account, _id, operation)).toMatchObject({ generation: 1, training: { state: 'idle' } });
});

test('a publication whose answer was lost says so when it is tried again, and is published once', async () => {
  const account = randomId();
  const { _id } = await world.website(account);
  const job = await world.begin(account, _id);
  expect([await training.publish(job, 'm'), await training.publish(job, 'm')]).toEqual([true, true]);
  const facts = (await world.stored(_id))!.outbox!.map(({ fact }) => fact.case);
  expect(facts).toEqual(['knowledgeItemCreated', 'trainingQueued', 'trainingCompleted']);
});

test('what is live counts its own chunks, and stays live when the next training fails', async () => {
  const account = randomId();
  const { _id } = await world.website(account);
  const first = await world.begin(account, _id);
  await world.corpus.builds.open(first, null);
  await world.corpus.chunks.insert(first, [chunk(0), chunk(1)]);
  await training.publish(first, null);
  const second = await world.begin(account, _id);
  await training.fail(second, 'The site does not answer.');
  expect(await world.stored(_id)).toMatchObject({
    trained_at: null,
    training_failed_at: expect.any(Date),
    training_failed_with: 'The site does not answer.',
    live: { build: first.build, chunks: 2, trained_at: expect.any(Date) },
  });
});

test('progress is that of the worker that holds the lease', async () => {
  const account = randomId();
  const { _id } = await world.website(account);
  const stale = await world.begin(account, _id);
  await world.expire(_id);
  const current = await training.claim();
  const progress = { sources_found: 3, sources_done: 1, chunks: 7 };
  expect(await training.reportProgress(current!, progress)).toBe(true);
  expect(await training.reportProgress(stale, { ...progress, chunks: 99 })).toBe(false);
  expect((await world.stored(_id))!.training.progress).toEqual(progress);
});

test('the age of the queue is that of the job that has waited longest, and 0 when none waits', async () => {
  expect(await training.oldestQueuedAge()).toBe(0);
  const [old] = [await queued(randomId()), await queued(randomId())];
  await world.corpus.collections.items.updateOne(
    { _id: old! },
    { $set: { 'training.queued_at': new Date(Date.now() - 60_000) } },
  );
  expect(await training.oldestQueuedAge()).toBeGreaterThanOrEqual(59);
  await training.claim();
  expect(await training.oldestQueuedAge()).toBeLessThan(59);
});
