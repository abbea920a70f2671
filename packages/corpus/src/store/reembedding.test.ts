import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime';
import { createDirectoryStore } from '@parley/runtime/objects';
import { corpusWorld, published } from '../testing.ts';
import type { Corpus } from './corpus.ts';

let world: Awaited<ReturnType<typeof corpusWorld>>;
let corpus: Corpus;
beforeAll(async () => {
  world = await corpusWorld();
  corpus = world.corpus;
});
afterEach(() => world.emptyQueue());
afterAll(() => world.close());

const account = randomId();

async function trained(model: string): Promise<string> {
  const { _id } = await world.website(account);
  const job = await world.begin(account, _id);
  await corpus.training.publish(job, published(model));
  return _id;
}

test('only idle items whose live build has another model are claimed, each once', async () => {
  await trained('new');
  await world.website(account);
  const old = await trained('old');
  const busy = await trained('old');
  await world.begin(account, busy);
  const claims = await Promise.all(Array.from({ length: 4 }, () => corpus.reembedding.claim(['new', 'other'])));
  expect(claims.flatMap((job) => job?.item ?? [])).toEqual([old]);
  expect(await corpus.reembedding.claim(['old', 'new'])).toBeUndefined();
});

test('the new vectors go live with the rest as it was, and the pages of the training stay', async () => {
  const id = await trained('old');
  const before = (await world.stored(id))!;
  const job = (await corpus.reembedding.claim(['new']))!;
  expect(await corpus.training.renew(job)).toBe(true);
  expect(await world.stored(id)).toMatchObject({ trained_at: before.trained_at, training: { pages_fence: 1 } });
  const file = { sha256: 'other', bytes: 2 };
  expect(await corpus.reembedding.publish(job, { model: 'new', file })).toBe(true);
  expect(await world.stored(id)).toMatchObject({
    trained_at: before.trained_at,
    outbox: before.outbox,
    live: { ...before.live, model: 'new', build: job.build, file },
    training: { state: 'idle', pages_fence: 1 },
  });
  expect(await corpus.reembedding.claim(['new'])).toBeUndefined();
  await world.begin(account, id);
  expect((await world.stored(id))!.training.pages_fence).toBeUndefined();
});

test('a requested training takes the item over, and the vectors of the old content are not published', async () => {
  const id = await trained('old');
  const { live } = (await world.stored(id))!;
  const job = (await corpus.reembedding.claim(['new']))!;
  const operation = randomId();
  expect(await corpus.training.request(account, id, operation)).toMatchObject({ training: { state: 'queued' } });
  expect(await corpus.training.renew(job)).toBe(false);
  expect(await corpus.reembedding.publish(job, published('new'))).toBe(false);
  expect(await corpus.reembedding.release(job, 0)).toBe(false);
  const run = await corpus.training.claim();
  expect(run).toMatchObject({ item: id, generation: 2 });
  expect((await world.stored(id))!.live).toEqual(live);
  await corpus.builds.discard(job, createDirectoryStore({ dir: '/nowhere' }));
});

test('an item that failed, or whose worker died, is left alone for a while', async () => {
  const id = await trained('old');
  const job = (await corpus.reembedding.claim(['new']))!;
  expect(await corpus.reembedding.release(job, 60_000)).toBe(true);
  expect(await corpus.reembedding.claim(['new'])).toBeUndefined();
  await world.expire(id);
  expect((await corpus.reembedding.claim(['new']))?.item).toBe(id);
  const { items } = corpus.collections;
  await items.unlisted.updateOne({ _id: id }, { $set: { 'training.until': new Date(Date.now() - 60_000) } });
  expect(await corpus.reembedding.claim(['new'])).toBeUndefined();
  await world.expire(id);
  expect((await corpus.reembedding.claim(['new']))?.item).toBe(id);
});
