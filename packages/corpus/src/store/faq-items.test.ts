import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime';
import { listVersionStore } from '@parley/runtime/mongo';
import { all, corpusWorld, published } from '../testing.ts';
import { FAQ_LIST_VERSIONS } from './collections.ts';
import { faqItemStore } from './faq-items.ts';
import type { TrainingJob } from './queue.ts';

let world: Awaited<ReturnType<typeof corpusWorld>>;
let account: string;
let faq: string;
beforeAll(async () => {
  world = await corpusWorld();
});
beforeEach(async () => {
  await world.emptyQueue();
  account = randomId();
  faq = (await world.faq(account))._id;
});
afterAll(() => world.close());

const fields = { question: 'Late?', answer: 'Yes.', source_url: null, categories: [] };

/** The store as it is if the process dies between the write to the FAQ's items and the write to the FAQ. */
function dyingStore() {
  const { collections } = world.corpus;
  const unlisted = new Proxy(collections.items.unlisted, {
    get(target, name) {
      if (name === 'updateOne') return () => Promise.reject(new Error('killed'));
      const value = Reflect.get(target, name) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const versions = listVersionStore(world.db, ['item'], FAQ_LIST_VERSIONS);
  return faqItemStore({ ...collections, items: { ...collections.items, unlisted } }, versions);
}

/** The questions that a run would read now. */
const read = async () => (await all(world.corpus.faqItems.all(account, faq))).map(({ question }) => question);

/** The questions that each build was made from. */
const made = new Map<string, string[]>();

async function finish(job: TrainingJob, questions: string[]) {
  const { builds, training } = world.corpus;
  await builds.open(job, null);
  made.set(job.build, questions);
  await training.publish(job, published());
}

const live = async () => made.get((await world.stored(faq))!.live!.build)!.toSorted();

/** A run is in progress and has read the items; then something changes; then a training is requested. */
async function changedDuringRun(change: () => Promise<unknown>) {
  const job = await world.begin(account, faq);
  const questions = await read();
  await change();
  await world.corpus.training.request(account, faq, randomId());
  await finish(job, questions);
  const again = await world.corpus.training.claim();
  if (again) await finish(again, await read());
  return again !== undefined;
}

test('an item whose addition was killed between its two writes is searchable after the next requested training', async () => {
  await world.faqItem(account, faq, 'Early?');
  const again = await changedDuringRun(async () => {
    await expect(dyingStore().create(account, faq, randomId(), fields)).rejects.toThrow('killed');
  });
  expect(again).toBe(true);
  expect(await live()).toEqual(['Early?', 'Late?']);
});

test('an item whose deletion was killed between its two writes is gone after the next requested training', async () => {
  await world.faqItem(account, faq, 'Early?');
  const { _id } = await world.faqItem(account, faq, 'Late?');
  const again = await changedDuringRun(async () => {
    await expect(dyingStore().delete(account, faq, _id, randomId())).rejects.toThrow('killed');
  });
  expect(again).toBe(true);
  expect(await live()).toEqual(['Early?']);
});

test('an interrupted change is counted once: further requests during a run start nothing', async () => {
  await expect(dyingStore().create(account, faq, randomId(), fields)).rejects.toThrow('killed');
  expect(await changedDuringRun(async () => {})).toBe(true);
  expect(await changedDuringRun(async () => {})).toBe(false);
});

test('a retry of the operation completes the interrupted change', async () => {
  const operation = randomId();
  await expect(dyingStore().create(account, faq, operation, fields)).rejects.toThrow('killed');
  expect((await world.corpus.faqItems.create(account, faq, operation, fields))._id).toBe(operation);
  expect(await world.stored(faq)).toMatchObject({ content_version: 1 });
  expect(await changedDuringRun(async () => {})).toBe(false);
});

test('complete changes are not counted again', async () => {
  const { _id } = await world.faqItem(account, faq);
  await world.corpus.faqItems.delete(account, faq, _id, randomId());
  const { faqItems } = world.corpus.collections;
  expect(await faqItems.countDocuments({ item: faq, uncounted: true })).toBe(0);
  expect(await world.stored(faq)).toMatchObject({ content_version: 2 });
});
