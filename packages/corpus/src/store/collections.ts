import {
  DELETED_ACCOUNT_INDEX,
  LIST_VERSIONS,
  type Listed,
  type Migration,
  OUTBOX_INDEX,
  QUOTAS,
  TOKENS_INDEXES,
  TOMBSTONE_INDEX,
} from '@parley/runtime/mongo';
import type { Collection, Db } from 'mongodb';
import type { BuildDoc, KnowledgeItemDoc } from '../model.ts';
import type { FaqItemDoc, SubPageDoc } from '../source-model.ts';
import type { Resource } from './resource.ts';

/** The collections as they are stored. */
export interface RawCollections {
  items: Collection<KnowledgeItemDoc>;
  faqItems: Collection<FaqItemDoc>;
  subPages: Collection<SubPageDoc>;
  builds: Collection<BuildDoc>;
}

/** The same for the stores: what lists show is written in one way only. */
export interface Collections extends Omit<RawCollections, 'items' | 'faqItems'> {
  items: Listed<KnowledgeItemDoc, never, Resource>;
  faqItems: Listed<FaqItemDoc, 'item', Resource>;
}

export const rawCollections = (db: Db): RawCollections => ({
  items: db.collection('knowledge_items'),
  faqItems: db.collection('faq_items'),
  subPages: db.collection('sub_pages'),
  builds: db.collection('builds'),
});

/** The versions of the lists of FAQs; those of knowledge items are in `LIST_VERSIONS`. */
export const FAQ_LIST_VERSIONS = 'faq_list_versions';

/** Collection of the tokens that accounts spend on embedding. */
export const EMBEDDING_TOKENS = 'embedding_tokens';

/** The trainings that are queued or running, in order. */
export const QUEUE_INDEX = { 'training.state': 1, 'training.queued_at': 1, account: 1 } as const;

/** The queue of each account. A distinct scan reads the head of each: one key, however many jobs the account has. */
export const WAITING_INDEX = { 'training.state': 1, account: 1, 'training.queued_at': 1 } as const;
/** Jobs that were claimed, among them those whose workers died. */
export const SUSPECT_INDEX = { 'training.state': 1, 'training.attempts': 1 } as const;
/** Live builds by the model of their vectors. */
export const MODEL_INDEX = { 'live.model': 1 } as const;
const WITH_LIVE = { partialFilterExpression: { live: { $type: 'object' } } };
const CLAIMED = { partialFilterExpression: { 'training.attempts': { $gt: 0 } } };
const WAITING = { partialFilterExpression: { 'training.state': 'queued' } };

const date = { $type: 'date' } as const;
const UNCOUNTED = { partialFilterExpression: { uncounted: true } };
const TOMBSTONE_SECONDS = 24 * 3600;

/** For the database that knowledge and trainer share; whichever starts first runs them. */
export const corpusMigrations: Migration[] = [
  {
    number: 1,
    name: 'indexes of 0.1.0',
    beside: '0.1.0',
    async run(db) {
      const { items, faqItems, subPages, builds } = rawCollections(db);
      await items.createIndexes([
        { key: { account: 1, deleted_at: 1, created_at: -1, _id: -1 } },
        { key: QUEUE_INDEX, partialFilterExpression: { 'training.queued_at': date } },
        { key: WAITING_INDEX, ...WAITING },
        { key: SUSPECT_INDEX, ...CLAIMED },
        { key: MODEL_INDEX, ...WITH_LIVE },
        { key: { builds_due: 1 }, partialFilterExpression: { builds_due: date } },
        { key: { files_due: 1 }, partialFilterExpression: { files_due: date } },
        { key: { retrain_due: 1 }, partialFilterExpression: { retrain_due: date } },
        OUTBOX_INDEX,
        TOMBSTONE_INDEX,
      ]);
      await faqItems.createIndexes([
        { key: { account: 1, item: 1, deleted_at: 1, created_at: -1, _id: -1 } },
        { key: { item: 1, uncounted: 1 }, ...UNCOUNTED },
        {
          key: { deleted_at: 1 },
          expireAfterSeconds: TOMBSTONE_SECONDS,
          partialFilterExpression: { deleted_at: date },
        },
      ]);
      await subPages.createIndex({ account: 1, build: 1, page_url: 1 });
      await builds.createIndexes([
        { key: { account: 1 } },
        { key: { item: 1, fence: -1 } },
        { key: { retired_at: 1 }, partialFilterExpression: { retired_at: date } },
      ]);
      await db.collection(LIST_VERSIONS).createIndex({ account: 1 });
      await db.collection('deleted_accounts').createIndexes([DELETED_ACCOUNT_INDEX]);
    },
  },
  {
    number: 2,
    name: 'quotas, and versions of the lists of FAQs',
    beside: '0.1.0',
    async run(db) {
      await db.collection(FAQ_LIST_VERSIONS).createIndex({ account: 1, item: 1 });
      await db.collection(QUOTAS).createIndex({ account: 1 });
    },
  },
  {
    number: 3,
    name: 'tokens of embeddings',
    beside: '0.1.0',
    run: async (db) => void (await db.collection(EMBEDDING_TOKENS).createIndexes(TOKENS_INDEXES)),
  },
  {
    number: 4,
    name: 'events of quotas and spent tokens',
    beside: '0.1.0',
    async run(db) {
      for (const name of [QUOTAS, EMBEDDING_TOKENS]) await db.collection(name).createIndexes([OUTBOX_INDEX]);
    },
  },
];
