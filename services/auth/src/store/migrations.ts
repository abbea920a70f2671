import type { Migration } from '@parley/runtime';

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
];
