import { type Migration, OUTBOX_INDEX, TOMBSTONE_INDEX } from '@parley/runtime';
import type { Collection, Db } from 'mongodb';
import type { BuildDoc, ChunkDoc, FaqItemDoc, KnowledgeItemDoc, SubPageDoc } from '../model.ts';

export interface Collections {
  items: Collection<KnowledgeItemDoc>;
  faqItems: Collection<FaqItemDoc>;
  subPages: Collection<SubPageDoc>;
  chunks: Collection<ChunkDoc>;
  builds: Collection<BuildDoc>;
}

export const collections = (db: Db): Collections => ({
  items: db.collection('knowledge_items'),
  faqItems: db.collection('faq_items'),
  subPages: db.collection('sub_pages'),
  chunks: db.collection('chunks'),
  builds: db.collection('builds'),
});

/**
 * The queue of trainings in its order; it holds only items that are queued or running. Accounts are in it, so that the
 * jobs of other accounts are passed over without being read.
 */
export const QUEUE_INDEX = { 'training.state': 1, 'training.queued_at': 1, account: 1 } as const;

const date = { $type: 'date' } as const;
const TOMBSTONE_SECONDS = 24 * 3600;

/** Of the database that knowledge and trainer share; whichever starts first runs them. */
export const corpusMigrations: Migration[] = [
  {
    number: 1,
    name: 'indexes of the corpus',
    async run(db) {
      const { items, faqItems, subPages, chunks, builds } = collections(db);
      await items.createIndexes([
        { key: { account: 1, deleted_at: 1, created_at: -1, _id: -1 } },
        { key: QUEUE_INDEX, partialFilterExpression: { 'training.queued_at': date } },
        { key: { builds_due: 1 }, partialFilterExpression: { builds_due: date } },
        OUTBOX_INDEX,
        TOMBSTONE_INDEX,
      ]);
      await faqItems.createIndexes([
        { key: { item: 1, deleted_at: 1, created_at: -1, _id: -1 } },
        {
          key: { deleted_at: 1 },
          expireAfterSeconds: TOMBSTONE_SECONDS,
          partialFilterExpression: { deleted_at: date },
        },
      ]);
      await subPages.createIndex({ build: 1, page_url: 1 });
      await chunks.createIndex({ build: 1, text_hash: 1 });
      await builds.createIndexes([
        { key: { item: 1, fence: -1 } },
        { key: { retired_at: 1 }, partialFilterExpression: { retired_at: date } },
      ]);
    },
  },
];
