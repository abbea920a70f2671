import { DELETED_ACCOUNT_INDEX, dropIndex, type Migration } from '@parley/runtime/mongo';

export const migrations: Migration[] = [
  {
    number: 1,
    name: 'indexes of accounts and API keys',
    async run(db) {
      await db.collection('accounts').createIndex({ created_at: -1, _id: -1 });
      await db
        .collection('api_keys')
        .createIndexes([{ key: { hash: 1 }, unique: true }, { key: { account: 1, created_at: -1, _id: -1 } }]);
    },
  },
  {
    number: 2,
    name: 'lists pass over what was deleted',
    async run(db) {
      await db.collection('accounts').createIndex({ deleted_at: 1, created_at: -1, _id: -1 });
      await dropIndex(db.collection('accounts'), { created_at: -1, _id: -1 });
      await db.collection('api_keys').createIndex({ account: 1, deleted_at: 1, created_at: -1, _id: -1 });
      await dropIndex(db.collection('api_keys'), { account: 1, created_at: -1, _id: -1 });
    },
  },
  {
    number: 3,
    name: 'indexes of personas',
    async run(db) {
      await db.collection('personas').createIndexes([
        { key: { account: 1, deleted_at: 1, created_at: -1, _id: -1 } },
        // Only the tombstones of deleted personas have a date there.
        { key: { deleted_at: 1 }, expireAfterSeconds: 24 * 3600 },
      ]);
    },
  },
  {
    number: 4,
    name: 'accounts that are being deleted are listed; marks of deleted accounts',
    async run(db) {
      await db.collection('accounts').createIndex({ created_at: -1, _id: -1 });
      await dropIndex(db.collection('accounts'), { deleted_at: 1, created_at: -1, _id: -1 });
      await db
        .collection('deleted_accounts')
        .createIndexes([DELETED_ACCOUNT_INDEX, { key: { deleted_at: -1, _id: -1 } }]);
    },
  },
];
