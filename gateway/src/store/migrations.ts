import type { Migration } from '@parley/runtime/mongo';

export const migrations: Migration[] = [
  {
    number: 1,
    name: 'indexes of 0.1.0',
    beside: '0.1.0',
    async run(db) {
      await db
        .collection('idempotency')
        .createIndexes([{ key: { expires_at: 1 }, expireAfterSeconds: 0 }, { key: { account: 1 } }]);
      await db.collection('rate_limits').createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 });
    },
  },
];
