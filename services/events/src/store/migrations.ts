import { DELETED_ACCOUNT_INDEX, type Migration, OUTBOX_INDEX, QUOTAS, TOMBSTONE_INDEX } from '@parley/runtime/mongo';
import { markBeginning } from './beginning.ts';
import { DELIVERIES_KEPT_SECONDS } from './deliveries.ts';
import { KEPT_SECONDS } from './events.ts';

export const migrations: Migration[] = [
  {
    number: 1,
    name: 'the log of events',
    beside: '0.1.0',
    async run(db) {
      await db.collection('events').createIndexes([
        // Numbers are unique: whoever writes the next one has it.
        { key: { account: 1, seq: 1 }, unique: true, name: 'number' },
        { key: { account: 1, type: 1, seq: 1 } },
        { key: { stored_at: 1 }, expireAfterSeconds: KEPT_SECONDS },
      ]);
      await db.collection('feeds').createIndex({ account: 1 });
      await db.collection('deleted_accounts').createIndexes([DELETED_ACCOUNT_INDEX]);
      await markBeginning(db);
    },
  },
  {
    number: 2,
    name: 'webhooks',
    beside: '0.1.0',
    async run(db) {
      await db
        .collection('events')
        .createIndexes([{ key: { account: 1, resource: 1, seq: 1 } }, { key: { account: 1, stored_at: 1, seq: 1 } }]);
      await db
        .collection('webhooks')
        .createIndexes([
          { key: { account: 1, deleted_at: 1, created_at: -1, _id: -1 } },
          { key: { due: 1 }, partialFilterExpression: { due: { $exists: true } } },
          OUTBOX_INDEX,
          TOMBSTONE_INDEX,
        ]);
      await db
        .collection('webhook_deliveries')
        .createIndexes([
          { key: { account: 1, webhook: 1, created_at: -1, _id: -1 } },
          { key: { created_at: 1 }, expireAfterSeconds: DELIVERIES_KEPT_SECONDS },
        ]);
      await db.collection(QUOTAS).createIndexes([{ key: { account: 1 } }, OUTBOX_INDEX]);
    },
  },
];
