import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isAppError, randomId } from '@parley/runtime';
import { QUOTAS } from '@parley/runtime/mongo';
import { until } from '@parley/runtime/testing';
import fc from 'fast-check';
import { corpusWorld, published } from '../testing.ts';
import { type Corpus, createCorpus } from './corpus.ts';
import { newDocument } from './documents.ts';
import { purgeItem } from './purge.ts';
import { type KnowledgeLimits, UNLIMITED } from './usage.ts';

let world: Awaited<ReturnType<typeof corpusWorld>>;
beforeAll(async () => {
  world = await corpusWorld();
});
afterAll(() => world.close());

const FAQ = { type: 'faq', faq: { title: 'Help', description: null } } as const;
const QUESTION = { question: 'Why?', answer: 'Because.', source_url: null, categories: [] };
const objects = { delete: async () => {}, deletePrefix: async () => 0 };

const limitedTo = (limits: Partial<KnowledgeLimits>) => createCorpus(world.db, { ...UNLIMITED, ...limits });
const newItem = (corpus: Corpus, account: string) => corpus.items.create(account, randomId(), FAQ);

async function newFile(corpus: Corpus, account: string) {
  const document = newDocument({ file_type: 'text/plain', file_name: null });
  return (await corpus.items.create(account, randomId(), { type: 'document', document }))._id;
}

/** Counts anew, once no change is pending. */
async function counted(account: string) {
  const quotas = world.db.collection<{ _id: string; pending: object[] }>(QUOTAS);
  await until(async () => ((await quotas.findOne({ _id: account }))?.pending ?? []).length === 0);
  await quotas.updateOne({ _id: account }, { $unset: { counted_at: 1 } });
  return world.corpus.usage.used(account);
}

/** How many of the calls were not refused because of a quota. */
async function through(calls: Promise<unknown>[]): Promise<number> {
  const outcomes = await Promise.allSettled(calls);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected' && !isAppError(outcome.reason, 'permission_denied')) throw outcome.reason;
  return outcomes.filter(({ status }) => status === 'fulfilled').length;
}

test('of many items that are created at once, as many get through as there is room for; deleting makes room', async () => {
  const account = randomId();
  const corpus = limitedTo({ items: 4 });
  const first = await newItem(corpus, account);
  expect(await through(Array.from({ length: 12 }, () => newItem(corpus, account)))).toBe(3);
  const refused = newItem(corpus, account);
  await expect(refused).rejects.toThrow('An account may have 4 knowledge items (QUOTA_ITEMS), and this one has 4.');
  await corpus.items.delete(account, first._id, randomId());
  expect(await through([newItem(corpus, account), newItem(corpus, account)])).toBe(1);
});

test('the same for questions of FAQs, of all FAQs together; those of an FAQ go with it', async () => {
  const account = randomId();
  const corpus = limitedTo({ faq_items: 3 });
  const [one, two] = [await newItem(corpus, account), await newItem(corpus, account)];
  const ask = (item: string) => corpus.faqItems.create(account, item, randomId(), QUESTION);
  const { _id } = await ask(one._id);
  expect(await through(Array.from({ length: 8 }, (_, i) => ask(i % 2 ? one._id : two._id)))).toBe(2);
  await corpus.faqItems.delete(account, one._id, _id, randomId());
  await ask(two._id);
  await expect(ask(two._id)).rejects.toThrow('questions in FAQs (QUOTA_FAQ_ITEMS)');
  for (const { _id } of [one, two])
    await purgeItem(corpus, objects, await corpus.items.delete(account, _id, randomId()));
  expect(await corpus.usage.used(account)).toEqual({
    items: 0,
    faq_items: 0,
    files: 0,
    bytes: 0,
    chunks: 0,
    index_bytes: 0,
  });
});

test('a file counts as the most that it may have while it is uploaded, and then as what it has', async () => {
  const account = randomId();
  const corpus = limitedTo({ bytes: 60_000_000 });
  const [one, two] = [await newFile(corpus, account), await newFile(corpus, account)];
  const key = await corpus.documents.begin(account, one, randomId());
  await expect(corpus.documents.begin(account, two, randomId())).rejects.toThrow(
    'An account may have 60,000,000 bytes of files (QUOTA_FILES_MIB), and this one has 52,428,800.',
  );
  await corpus.documents.complete(account, one, { key, bytes: 1_000, sha256: '' });
  expect(await corpus.usage.used(account)).toMatchObject({ files: 1, bytes: 1_000 });
  await corpus.documents.begin(account, two, randomId());
});

test('a file that was replaced counts until its object is deleted', async () => {
  const account = randomId();
  const { corpus } = world;
  const id = await newFile(corpus, account);
  for (const bytes of [700, 300]) {
    const key = await corpus.documents.begin(account, id, randomId());
    await corpus.documents.complete(account, id, { key, bytes, sha256: '' });
  }
  expect(await corpus.usage.used(account)).toMatchObject({ files: 2, bytes: 1_000 });
  await world.sweepFiles(objects);
  expect(await corpus.usage.used(account)).toMatchObject({ files: 1, bytes: 300 });
});

test('a training that would add more chunks than the account may have is not published', async () => {
  const account = randomId();
  const corpus = limitedTo({ chunks: 5 });
  const trained = async (chunks: number, id?: string) => {
    const item = id ?? (await newItem(corpus, account))._id;
    const job = await world.begin(account, item);
    await corpus.builds.open(job, null);
    await corpus.training.publish(job, published(null, { chunks })).catch(async (error) => {
      await corpus.training.fail(job, error.message);
      throw error;
    });
    return item;
  };
  const item = await trained(3);
  await expect(trained(3)).rejects.toThrow('5 chunks (TRAINING_MAX_ACCOUNT_CHUNKS), and this one has 3.');
  // What takes the place of other chunks needs no more room than they leave.
  await trained(5, item);
  expect(await corpus.usage.used(account)).toMatchObject({ chunks: 5 });
  await trained(2, item);
  expect(await corpus.usage.used(account)).toMatchObject({ chunks: 2 });
  await corpus.items.delete(account, item, randomId());
  expect(await corpus.usage.used(account)).toMatchObject({ chunks: 0 });
});

test('the file that search reads counts: one that is too large is not published, and renewed vectors are counted', async () => {
  const account = randomId();
  const corpus = limitedTo({ index_bytes: 1_000 });
  const file = (bytes: number) => ({ sha256: 'x', bytes });
  const { _id } = await newItem(corpus, account);
  const trained = async (id: string, bytes: number) => {
    const job = await world.begin(account, id);
    await corpus.builds.open(job, 'old');
    await corpus.training.publish(job, published('old', { file: file(bytes) })).catch(async (error) => {
      await corpus.training.fail(job, error.message);
      throw error;
    });
  };
  await trained(_id, 800);
  await expect(trained((await newItem(corpus, account))._id, 201)).rejects.toThrow(
    '1,000 bytes of search indexes (QUOTA_INDEX_MIB), and this one has 800.',
  );
  await trained(_id, 1_000);
  await trained(_id, 400);
  expect(await corpus.usage.used(account)).toMatchObject({ index_bytes: 400 });
  const job = (await corpus.reembedding.claim(['new']))!;
  await corpus.reembedding.publish(job, { model: 'new', file: file(1_200) });
  expect(await corpus.usage.used(account)).toMatchObject({ index_bytes: 1_200 });
  expect(await counted(account)).toMatchObject({ index_bytes: 1_200 });
  await corpus.items.delete(account, _id, randomId());
  expect(await corpus.usage.used(account)).toMatchObject({ index_bytes: 0 });
});

const ACTIONS = [
  'item',
  'file',
  'upload',
  'complete',
  'ask',
  'unask',
  'delete',
  'expire',
  'sweep',
  'transcript',
  'train',
] as const;

test('whatever happens to the knowledge of an account, its counts are what there is', async () => {
  const actions = fc.array(fc.tuple(fc.constantFrom(...ACTIONS), fc.nat(6)), {
    minLength: 12,
    maxLength: 40,
    size: 'max',
  });
  const { corpus } = world;
  await fc.assert(
    fc.asyncProperty(actions, async (actions) => {
      const account = randomId();
      const video = { video_id: 'v', video_url: 'u' };
      const videos = [(await corpus.items.create(account, randomId(), { type: 'video', video }))._id];
      const faqs = [(await newItem(corpus, account))._id];
      const files = [await newFile(corpus, account)];
      const keys: [id: string, key: string][] = [];
      const questions: [faq: string, id: string][] = [];
      const act: Record<(typeof ACTIONS)[number], (n: number) => Promise<unknown>> = {
        item: async () => faqs.push((await newItem(corpus, account))._id),
        file: async () => files.push(await newFile(corpus, account)),
        async upload(n) {
          const id = oneOf(files, n);
          keys.push([id, await corpus.documents.begin(account, id, randomId())]);
        },
        async complete(n) {
          if (keys.length === 0) return;
          const [id, key] = oneOf(keys, n);
          await corpus.documents.complete(account, id, { key, bytes: 100 + n, sha256: '' });
        },
        async ask(n) {
          const faq = oneOf(faqs, n);
          questions.push([faq, (await corpus.faqItems.create(account, faq, randomId(), QUESTION))._id]);
        },
        async unask(n) {
          if (questions.length > 0) await corpus.faqItems.delete(account, ...oneOf(questions, n), randomId());
        },
        async delete(n) {
          const id = oneOf([...faqs, ...files, ...videos], n);
          await purgeItem(corpus, objects, await corpus.items.delete(account, id, randomId()));
        },
        async expire(n) {
          const id = oneOf(files, n);
          await corpus.collections.items.unlisted.updateOne({ _id: id }, { $set: { created_at: new Date(0) } });
          await corpus.documents.expire(account, id);
        },
        sweep: () => world.sweepFiles(objects),
        async transcript(n) {
          const id = oneOf(videos, n);
          const key = await corpus.videos.begin(account, id, randomId());
          await corpus.videos.update(account, id, { transcript: n === 3 ? null : { key, bytes: n, sha256: '' } });
        },
        async train(n) {
          const job = await world.begin(account, oneOf(faqs, n));
          await corpus.training.publish(job, published('m', { chunks: n, file: { sha256: '', bytes: 10 * n } }));
        },
      };
      // What is gone by then is refused, which changes nothing.
      for (const [name, n] of actions)
        await act[name](n).catch((error) => {
          if (!isAppError(error)) throw error;
        });
      expect(await corpus.usage.used(account)).toEqual(await counted(account));
    }),
    { numRuns: 12 },
  );
});

const oneOf = <T>(all: readonly T[], n: number): T => all[n % all.length]!;
