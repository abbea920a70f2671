import {
  DELETED_ACCOUNT_INDEX,
  DELETED_PARENT_INDEXES,
  type Migration,
  OUTBOX_INDEX,
  TOKENS_INDEXES,
  TOMBSTONE_INDEX,
} from '@parley/runtime/mongo';
import { MODEL_TOKENS } from './model-tokens.ts';

export const migrations: Migration[] = [
  {
    number: 1,
    name: 'indexes of 0.1.0',
    beside: '0.1.0',
    async run(db) {
      await db
        .collection('assistants')
        .createIndexes([
          { key: { account: 1, kind: 1, deleted_at: 1, created_at: -1, _id: -1 } },
          { key: { account: 1, 'knowledge.item': 1 } },
          { key: { account: 1, kind: 1, large: 1 }, partialFilterExpression: { large: { $gt: 0 } } },
          { key: { public_id: 1 }, unique: true, partialFilterExpression: { public_id: { $exists: true } } },
          { key: { alias: 1 }, unique: true, partialFilterExpression: { alias: { $exists: true }, deleted_at: null } },
          OUTBOX_INDEX,
          TOMBSTONE_INDEX,
        ]);
      await db
        .collection('aliases')
        .createIndexes([{ key: { account: 1 } }, { key: { until: 1 }, expireAfterSeconds: 0 }]);
      await db.collection(MODEL_TOKENS).createIndexes(TOKENS_INDEXES);
      await db.collection('deleted_parents').createIndexes(DELETED_PARENT_INDEXES);
      await db.collection('deleted_accounts').createIndexes([DELETED_ACCOUNT_INDEX]);
    },
  },
  {
    number: 2,
    name: 'events of spent tokens',
    beside: '0.1.0',
    run: async (db) => void (await db.collection(MODEL_TOKENS).createIndexes([OUTBOX_INDEX])),
  },
];
