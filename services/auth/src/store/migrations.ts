import { DELETED_ACCOUNT_INDEX, type Migration, OUTBOX_INDEX, QUOTAS } from '@parley/runtime/mongo';

const TOMBSTONE_SECONDS = 24 * 3600;

export const migrations: Migration[] = [
  {
    number: 1,
    name: 'indexes of 0.1.0',
    beside: '0.1.0',
    async run(db) {
      await db.collection('accounts').createIndex({ created_at: -1, _id: -1 });
      await db
        .collection('api_keys')
        .createIndexes([
          { key: { hash: 1 }, unique: true },
          { key: { account: 1, deleted_at: 1, created_at: -1, _id: -1 } },
        ]);
      await db.collection('personas').createIndexes([
        { key: { account: 1, deleted_at: 1, created_at: -1, _id: -1 } },
        // Only the tombstones of deleted personas have a date there.
        { key: { deleted_at: 1 }, expireAfterSeconds: TOMBSTONE_SECONDS },
      ]);
      await db
        .collection('deleted_accounts')
        .createIndexes([DELETED_ACCOUNT_INDEX, { key: { deleted_at: -1, _id: -1 } }]);
    },
  },
  {
    number: 2,
    name: 'revocation of keys with what they created',
    beside: '0.1.0',
    async run(db) {
      await db
        .collection('api_keys')
        .createIndexes([
          { key: { account: 1, ancestors: 1 } },
          { key: { unfinished: 1 }, partialFilterExpression: { unfinished: true } },
          { key: { purge_at: 1 }, expireAfterSeconds: 0 },
        ]);
    },
  },
  {
    number: 3,
    name: 'quotas',
    beside: '0.1.0',
    run: async (db) => void (await db.collection(QUOTAS).createIndex({ account: 1 })),
  },
  {
    number: 4,
    name: 'events of keys and quotas',
    beside: '0.1.0',
    async run(db) {
      for (const name of ['api_keys', QUOTAS]) await db.collection(name).createIndexes([OUTBOX_INDEX]);
    },
  },
];
