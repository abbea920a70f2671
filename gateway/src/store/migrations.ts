import type { Migration } from '@parley/runtime/mongo';

export const migrations: Migration[] = [
  {
    number: 1,
    name: 'kept answers and rate limits expire',
    async run(db) {
      await db.collection('idempotency').createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 });
      await db.collection('rate_limits').createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 });
    },
  },
  {
    number: 2,
    name: 'kept answers by account',
    async run(db) {
      await db.collection('idempotency').createIndex({ account: 1 });
    },
  },
];
