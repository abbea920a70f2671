import {
  DELETED_ACCOUNT_INDEX,
  GONE_INDEXES,
  type Migration,
  OUTBOX_INDEX,
  TOMBSTONE_INDEX,
} from '@parley/runtime/mongo';

const TOKENS_SECONDS = 31 * 24 * 3600;

export const migrations: Migration[] = [
  {
    number: 1,
    name: 'indexes of 0.1.0',
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
      await db
        .collection('model_tokens')
        .createIndexes([{ key: { account: 1, day: 1 } }, { key: { day: 1 }, expireAfterSeconds: TOKENS_SECONDS }]);
      await db.collection('gone').createIndexes(GONE_INDEXES);
      await db.collection('deleted_accounts').createIndexes([DELETED_ACCOUNT_INDEX]);
    },
  },
];
