import { freshDatabase } from '@parley/embedded/testing';
import { createLog } from '@parley/runtime';
import { openMongo } from '@parley/runtime/mongo';
import type { ObjectStore } from '@parley/runtime/objects';
import { randomId } from '@parley/runtime/rpc';
import type { FaqItemDoc, KnowledgeItemDoc } from './model.ts';
import type { NewChunk } from './store/chunks.ts';
import { corpusMigrations } from './store/collections.ts';
import { type Corpus, createCorpus } from './store/corpus.ts';
import { sweepFiles } from './store/file-sweeper.ts';
import type { TrainingJob } from './store/queue.ts';

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
    expire: (id: string) => items.updateOne({ _id: id }, { $set: { 'training.until': new Date(0) } }),
    /** Ends the pause of a postponed training. */
    resume: (id: string) => items.updateOne({ _id: id }, { $set: { 'training.queued_at': new Date(0) } }),
    /** Deletes the objects of all files that are due. */
    async sweepFiles(objects: Pick<ObjectStore, 'delete'>): Promise<void> {
      while (await sweepFiles({ collections: corpus.collections, objects }, new AbortController().signal));
    },
    async emptyQueue() {
      await items.deleteMany({});
      await faqItems.deleteMany({});
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

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
