import { DELETED_ACCOUNT_INDEX, GONE_INDEX, type Migration, OUTBOX_INDEX } from '@parley/runtime/mongo';
import { moveTurns } from './move-turns.ts';

/** How long a ticket that never opened is kept: longer than any call that may still open it. */
const OPENING_SECONDS = 3_600;

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
  {
    number: 3,
    name: 'indexes of threads and entries',
    async run(db) {
      await db.collection('threads').createIndexes([
        { key: { account: 1, kind: 1, assistant: 1, deleted_at: 1, created_at: -1, _id: -1 } },
        {
          key: { session_id: 1 },
          unique: true,
          partialFilterExpression: { session_id: { $exists: true } },
        },
        OUTBOX_INDEX,
      ]);
      await db.collection('entries').createIndex({ thread: 1, n: 1 }, { unique: true });
    },
  },
  { number: 4, name: 'chats and turns become threads and entries', run: moveTurns },
  {
    number: 5,
    name: 'indexes of tickets, emails, blocks, evidence and stamps; marks of deleted assistants expire',
    async run(db) {
      await db.collection('threads').createIndexes([
        { key: { account: 1, kind: 1, assistant: 1, deleted_at: 1, status: 1, created_at: -1, _id: -1 } },
        {
          key: { account: 1, kind: 1, assistant: 1, address: 1 },
          partialFilterExpression: { address: { $exists: true } },
        },
        { key: { opening_at: 1 }, expireAfterSeconds: OPENING_SECONDS },
      ]);
      // Reads of what was said skip changes, however many there are, and the other way round.
      await db.collection('entries').createIndex({ thread: 1, by: 1, n: 1 });
      await db.collection('evidence').createIndex({ thread: 1, n: 1 });
      for (const name of ['blocks', 'list_stamps'])
        await db.collection(name).createIndex({ account: 1, kind: 1, assistant: 1 });
      await db.collection('gone').createIndexes([GONE_INDEX]);
    },
  },
  {
    number: 6,
    name: 'entries and evidence by account; marks of deleted accounts',
    async run(db) {
      for (const name of ['entries', 'evidence']) await db.collection(name).createIndex({ account: 1 });
      await db.collection('deleted_accounts').createIndexes([DELETED_ACCOUNT_INDEX]);
    },
  },
];
