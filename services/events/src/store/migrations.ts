import { DELETED_ACCOUNT_INDEX, type Migration } from '@parley/runtime/mongo';
import { markBeginning } from './beginning.ts';
import { KEPT_SECONDS } from './events.ts';

export const migrations: Migration[] = [
  {
    number: 1,
    name: 'the log of events',
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
];
