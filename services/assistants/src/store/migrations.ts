import {
  DELETED_ACCOUNT_INDEX,
  dropIndex,
  GONE_INDEX,
  type Migration,
  OUTBOX_INDEX,
  TOMBSTONE_INDEX,
} from '@parley/runtime/mongo';

export const migrations: Migration[] = [
  {
    number: 1,
    name: 'indexes of assistants',
    async run(db) {
      await db
        .collection('assistants')
        .createIndexes([
          { key: { public_id: 1 }, unique: true },
          { key: { account: 1, kind: 1, created_at: -1, _id: -1 } },
          { key: { account: 1, 'knowledge.item': 1 } },
        ]);
    },
  },
  {
    number: 2,
    name: 'lists pass over what was deleted; marks of deleted knowledge expire',
    async run(db) {
      const assistants = db.collection('assistants');
      await assistants.createIndex({ account: 1, kind: 1, deleted_at: 1, created_at: -1, _id: -1 });
      await dropIndex(assistants, { account: 1, kind: 1, created_at: -1, _id: -1 });
      await db.collection('gone').createIndexes([GONE_INDEX]);
    },
  },
  {
    number: 3,
    name: 'assistants without a public id; aliases; events and purges of deleted assistants',
    async run(db) {
      const assistants = db.collection('assistants');
      await assistants.createIndexes([
        {
          key: { public_id: 1 },
          name: 'public_id_unique',
          unique: true,
          partialFilterExpression: { public_id: { $exists: true } },
        },
        {
          key: { alias: 1 },
          unique: true,
          partialFilterExpression: { alias: { $exists: true }, deleted_at: null },
        },
        { key: { account: 1, kind: 1, large: 1 }, partialFilterExpression: { large: { $gt: 0 } } },
        OUTBOX_INDEX,
        TOMBSTONE_INDEX,
      ]);
      // It allowed only one assistant without a public id.
      await dropIndex(assistants, { public_id: 1 });
      await db.collection('aliases').createIndex({ until: 1 }, { expireAfterSeconds: 0 });
    },
  },
  {
    number: 4,
    name: 'aliases by account; marks of deleted accounts',
    async run(db) {
      await db.collection('aliases').createIndex({ account: 1 });
      await db.collection('deleted_accounts').createIndexes([DELETED_ACCOUNT_INDEX]);
    },
  },
  {
    number: 5,
    name: 'tokens of models by account and day; they expire after a month',
    async run(db) {
      await db
        .collection('model_tokens')
        .createIndexes([{ key: { account: 1, day: 1 } }, { key: { day: 1 }, expireAfterSeconds: 31 * 24 * 3600 }]);
    },
  },
];
