import { type Migration, OUTBOX_INDEX } from '@parley/runtime';

export const migrations: Migration[] = [
  {
    number: 1,
    name: 'indexes of chats and turns',
    async run(db) {
      await db
        .collection('chats')
        .createIndexes([
          { key: { account: 1, assistant: 1, created_at: -1, _id: -1 } },
          { key: { session_id: 1 }, unique: true },
          OUTBOX_INDEX,
        ]);
      await db.collection('turns').createIndexes([
        { key: { thread: 1, n: 1 }, unique: true },
        { key: { thread: 1 }, name: 'one_pending', unique: true, partialFilterExpression: { state: 'pending' } },
        { key: { until: 1 }, partialFilterExpression: { until: { $exists: true } } },
      ]);
    },
  },
  {
    number: 2,
    name: 'an index that tells when something was last said',
    async run(db) {
      await db.collection('turns').createIndex({ account: 1, thread: 1, updated_at: 1 });
    },
  },
];
