import type { Migration } from '@parley/runtime';

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
];
