import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLog } from '@parley/runtime';
import { openMongo } from '@parley/runtime/mongo';
import type { ObjectStore } from '@parley/runtime/objects';
import { randomId } from '@parley/runtime/rpc';
import { freshDatabase } from '@parley/runtime/testing';
import { openFormerBuild } from './build/former-build.ts';
import { createBuildWriter } from './build/write-build.ts';
import type { NewChunk } from './chunk.ts';
import type { KnowledgeItemDoc, LiveBuild } from './model.ts';
import { buildFileKey } from './object-keys.ts';
import type { FaqItemDoc } from './source-model.ts';
import { corpusMigrations } from './store/collections.ts';
import { type Corpus, createCorpus } from './store/corpus.ts';
import { sweepFiles } from './store/file-sweeper.ts';
import type { TrainingJob } from './store/queue.ts';
import type { Published } from './store/training.ts';

/** A migrated corpus in its own database, and helpers to fill it. */
export async function corpusWorld() {
  const database = freshDatabase();
  const name = `${database.name}_corpus`;
  const mongo = openMongo({ uri: database.uri, database: name }, corpusMigrations, createLog('test', 'silent'));
  await mongo.start?.(new AbortController().signal);
  const corpus = createCorpus(mongo.db);
  return {
    db: mongo.db,
    uri: database.uri,
    database: name,
    corpus,
    ...makers(corpus),
    async close() {
      await mongo.db.dropDatabase();
      await mongo.stop?.();
    },
  };
}

function makers(corpus: Corpus) {
  const { items, faqItems } = corpus.collections;
  return {
    website: (account: string): Promise<KnowledgeItemDoc> =>
      corpus.items.create(account, randomId(), { type: 'website', website: { base_url: 'https://example.com/' } }),
    faq: (account: string): Promise<KnowledgeItemDoc> =>
      corpus.items.create(account, randomId(), { type: 'faq', faq: { title: 'Help', description: null } }),
    faqItem: (account: string, item: string, question = 'Why?'): Promise<FaqItemDoc> =>
      corpus.faqItems.create(account, item, randomId(), {
        question,
        answer: 'Because.',
        source_url: null,
        categories: [],
      }),
    /** The stored document, even if it is deleted. */
    stored: (id: string): Promise<KnowledgeItemDoc | null> => items.findOne({ _id: id }),
    /** Expires the lease of a running training. */
    expire: (id: string) => items.unlisted.updateOne({ _id: id }, { $set: { 'training.until': new Date(0) } }),
    /** Ends the pause of a postponed training. */
    resume: (id: string) => items.unlisted.updateOne({ _id: id }, { $set: { 'training.queued_at': new Date(0) } }),
    /** Deletes the objects of all files that are due. */
    async sweepFiles(objects: Pick<ObjectStore, 'delete'>): Promise<void> {
      while (await sweepFiles({ collections: corpus.collections, objects }, new AbortController().signal));
    },
    async emptyQueue() {
      await items.unlisted.deleteMany({});
      await faqItems.unlisted.deleteMany({});
    },
    /** Requests a training of the item and claims it; nothing else may be in the queue. */
    async begin(account: string, id: string): Promise<TrainingJob> {
      await corpus.training.request(account, id, randomId());
      const job = await corpus.training.claim();
      if (job?.item !== id) throw new Error('something else waited in the queue');
      return job;
    },
  };
}

export const chunk = (index: number, text = `text ${index}`, vector: number[] | null = null): NewChunk => ({
  source: '/',
  index,
  title: 'Title',
  url: 'https://example.com/',
  text,
  text_hash: text,
  vector: vector && Float32Array.from(vector),
});

/** Returns what a run publishes; only searches need a real file. */
export const published = (model: string | null = null, fields: Partial<Published> = {}): Published => ({
  ...{ model, chunks: 0, sources: 0, file: { sha256: '', bytes: 0 } },
  ...fields,
});

/** A live build whose file nobody reads. */
export const liveBuild = (fields: Partial<LiveBuild> = {}): LiveBuild => ({
  ...published(),
  ...{ build: 'item:1', content_version: 0, trained_at: new Date() },
  ...fields,
});

/** Writes and uploads a build as a run does, and returns what the run publishes. */
export async function uploadBuild(
  objects: Pick<ObjectStore, 'put'>,
  { account, build }: Pick<TrainingJob, 'account' | 'build'>,
  chunks: readonly NewChunk[],
  model: string | null = null,
): Promise<Published> {
  const dir = await mkdtemp(path.join(tmpdir(), 'parley-build-'));
  try {
    const file = path.join(dir, 'build');
    const writer = createBuildWriter(file);
    writer.add(chunks);
    writer.finish({ model });
    writer.db.close();
    const { size: bytes, sha256 } = await objects.put(buildFileKey(account, build), await readFile(file));
    return published(model, { file: { sha256, bytes }, chunks: chunks.length });
  } finally {
    await rm(dir, { recursive: true });
  }
}

/** The passages of a build in the object store, in order. */
export async function storedChunks(
  objects: Pick<ObjectStore, 'get'>,
  account: string,
  build: string,
): Promise<NewChunk[]> {
  const dir = await mkdtemp(path.join(tmpdir(), 'parley-build-'));
  try {
    const file = path.join(dir, 'build');
    const found = await objects.get(buildFileKey(account, build));
    if (!found) throw new Error(`build ${build} has no file`);
    await writeFile(file, found.body);
    const opened = openFormerBuild(file);
    const chunks = opened.batch(0, Number.MAX_SAFE_INTEGER);
    opened.close();
    return chunks;
  } finally {
    await rm(dir, { recursive: true });
  }
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
