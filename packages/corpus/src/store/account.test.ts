import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLog, randomId } from '@parley/runtime';
import { freshDatabase, unscopedCommands } from '@parley/runtime/testing';
import { MongoClient } from 'mongodb';
import { all, liveBuild, published } from '../testing.ts';
import { createBuildSweeper } from './build-sweeper.ts';
import { corpusMigrations } from './collections.ts';
import { type Corpus, createCorpus } from './corpus.ts';
import { newDocument } from './documents.ts';
import { createFileSweeper } from './file-sweeper.ts';
import { purgeItem } from './purge.ts';
import { queueDue } from './retraining.ts';

const database = freshDatabase();
const client = new MongoClient(database.uri, { monitorCommands: true });
const corpus = createCorpus(client.db(database.name));
const objects = { deletePrefix: async () => 0, delete: async () => {} };

beforeAll(async () => {
  for (const migration of corpusMigrations) await migration.run(client.db(database.name), new AbortController().signal);
});
afterAll(async () => {
  await client.close();
  await database.drop();
});

/** An account with a knowledge item whose training is running, and a document whose upload is. */
async function scene() {
  const account = randomId();
  const item = await corpus.items.create(account, randomId(), { type: 'faq', faq: { title: 't', description: null } });
  await corpus.training.request(account, item._id, randomId());
  const job = (await corpus.training.claim())!;
  await corpus.builds.open(job, 'm');
  const details = newDocument({ file_type: 'text/plain', file_name: null });
  const { _id: document } = await corpus.items.create(account, randomId(), { type: 'document', document: details });
  const key = await corpus.documents.begin(account, document, randomId());
  return { account, id: item._id, job, document, key };
}
type Scene = Awaited<ReturnType<typeof scene>>;

const first = { limit: 0, nextCursor: '' };
const faqItem = { question: 'q', answer: 'a', source_url: null, categories: [] };
const withLive = ({ job }: Scene) => ({
  ...job,
  document: { ...job.document, live: liveBuild() },
});

/** Every function of the store. A new one has to be added here. */
const calls: { [Store in Exclude<keyof Corpus, 'collections'>]: Record<keyof Corpus[Store], (s: Scene) => unknown> } = {
  items: {
    get: (s) => corpus.items.get(s.account, s.id),
    create: (s) => corpus.items.create(s.account, randomId(), { type: 'faq', faq: { title: 't', description: null } }),
    batch: (s) => corpus.items.batch(s.account, [s.id]),
    page: (s) => corpus.items.page(s.account, first),
    settle: (s) => corpus.items.settle(s.account, s.id),
    async update({ account }) {
      const website = { base_url: 'https://example.com/' };
      const { _id } = await corpus.items.create(account, randomId(), { type: 'website', website });
      await corpus.items.update(account, _id, { include: ['/'], retrain_every: 1 });
    },
    delete: (s) => corpus.items.delete(s.account, s.id, randomId()),
    liveBuilds: (s) => corpus.items.liveBuilds(s.account, [s.id]),
    replaced: (s) => corpus.items.replaced(new Map([[s.id, { account: s.account, build: 'b' }]])),
  },
  documents: {
    begin: (s) => corpus.documents.begin(s.account, s.document, randomId()),
    complete: (s) => corpus.documents.complete(s.account, s.document, { key: s.key, bytes: 1, sha256: '' }),
    finalize: (s) => corpus.documents.finalize(s.account, s.document, s.key),
    refuse: (s) => corpus.documents.refuse(s.account, s.document, s.key, 'not plain text'),
    expire: (s) => corpus.documents.expire(s.account, s.document),
  },
  videos: {
    async begin({ account }) {
      const video = { video_id: 'v', video_url: 'u' };
      const { _id } = await corpus.items.create(account, randomId(), { type: 'video', video });
      await corpus.videos.begin(account, _id, randomId());
    },
    async update({ account }) {
      const video = { video_id: 'v', video_url: 'u' };
      const { _id } = await corpus.items.create(account, randomId(), { type: 'video', video });
      await corpus.videos.update(account, _id, { language: 'en', transcript: null });
    },
  },
  faqItems: {
    create: (s) => corpus.faqItems.create(s.account, s.id, randomId(), faqItem),
    async delete(s) {
      const { _id } = await corpus.faqItems.create(s.account, s.id, randomId(), faqItem);
      await corpus.faqItems.delete(s.account, s.id, _id, randomId());
    },
    page: (s) => corpus.faqItems.page(s.account, s.id, first),
    count: (s) => corpus.faqItems.count(s.account, s.id),
    removeAll: (s) => corpus.faqItems.removeAll(s.account, randomId()),
    isEmpty: (s) => corpus.faqItems.isEmpty(s.account, s.id),
    all: (s) => all(corpus.faqItems.all(s.account, s.id)),
  },
  usage: {
    limits: () => corpus.usage.limits,
    change: (s) => corpus.usage.change(s.account, { items: 1 }, async () => ({ result: null, counted: {} })),
    used: (s) => corpus.usage.used(s.account),
    check: (s) => corpus.usage.check(s.account, { items: 1 }),
    outdate: (s) => corpus.usage.outdate(s.account),
    erase: (s) => corpus.usage.erase(s.account, 1),
  },
  subPages: {
    record: (s) => corpus.subPages.record(s.job, '/', { failed_with: 'No.' }),
    recordAll: (s) => corpus.subPages.recordAll(s.job, [[0, { failed_with: 'No.' }]]),
    recorded: (s) => corpus.subPages.recorded(s.account, ['b'], '/'),
    withContent: (s) => all(corpus.subPages.withContent(s.account, 'b')),
    page: (s) => corpus.subPages.page(s.account, s.id, first),
  },
  builds: {
    open: (s) => corpus.builds.open(s.job, 'm'),
    setModel: (s) => corpus.builds.setModel(s.job, 'm'),
    setFile: (s) => corpus.builds.setFile(s.job, { sha256: '', bytes: 0 }),
    earlier: (s) => corpus.builds.earlier(s.job),
    discard: (s) => corpus.builds.discard(s.job, objects as never),
  },
  reembedding: {
    claim: () => corpus.reembedding.claim(['m']),
    publish: (s) => corpus.reembedding.publish(withLive(s), published('m')),
    release: (s) => corpus.reembedding.release(withLive(s), 0),
  },
  training: {
    request: (s) => corpus.training.request(s.account, s.id, randomId()),
    async repair({ account, id, job }) {
      await corpus.training.publish(job, published());
      await corpus.training.repair(account, id, job.build);
    },
    claim: () => corpus.training.claim(),
    renew: (s) => corpus.training.renew(s.job),
    reportProgress: (s) => corpus.training.reportProgress(s.job, { sources_found: 0, sources_done: 0, chunks: 0 }),
    publish: (s) => corpus.training.publish(s.job, published()),
    confirm: (s) => corpus.training.confirm(withLive(s)),
    fail: (s) => corpus.training.fail(s.job, 'No.'),
    release: (s) => corpus.training.release(s.job),
    postpone: (s) => corpus.training.postpone(s.job, 'No.'),
    uncountAttempt: (s) => corpus.training.uncountAttempt(s.job),
    waiting: () => corpus.training.waiting(),
    waitingByAccount: () => corpus.training.waitingByAccount(),
    needsRoom: () => corpus.training.needsRoom(),
  },
};

async function unscoped(call: (scene: Scene) => unknown): Promise<boolean> {
  const ready = await scene();
  return (await unscopedCommands(client, () => call(ready))).length > 0;
}

test('only the queues of trainings and of new vectors, and the age of the first, read or write without an account', async () => {
  const found: string[] = [];
  for (const [store, functions] of Object.entries(calls)) {
    expect(Object.keys(functions).sort()).toEqual(Object.keys(corpus[store as keyof Corpus]).sort());
    for (const [name, call] of Object.entries(functions)) if (await unscoped(call)) found.push(`${store}.${name}`);
  }
  expect(found).toEqual([
    'reembedding.claim',
    'training.claim',
    'training.waiting',
    'training.waitingByAccount',
    'training.needsRoom',
  ]);
});

test("the sweepers and the check of an item's owner also do; the purge uses the account", async () => {
  expect(await unscoped((s) => purgeItem(corpus, objects, { _id: s.id, account: s.account }))).toBe(false);
  expect(await unscoped((s) => corpus.items.get(randomId(), s.id).catch(() => {}))).toBe(true);
  for (const create of [createBuildSweeper, createFileSweeper]) {
    const sweep = async () => {
      const sweeper = create({ collections: corpus.collections, objects, log: createLog('test', 'silent') });
      await sweeper.start();
      await sweeper.stop?.();
    };
    expect(await unscoped(sweep)).toBe(true);
  }
});

test('the search for websites that are due for training reads without an account, and queues with it', async () => {
  expect((await unscopedCommands(client, () => queueDue(corpus.collections))).length).toBe(1);
});
