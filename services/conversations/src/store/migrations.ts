import {
  DELETED_ACCOUNT_INDEX,
  DELETED_PARENT_INDEXES,
  type Migration,
  OUTBOX_INDEX,
  QUOTAS,
} from '@parley/runtime/mongo';
import { DUE_INDEX } from './due-answers.ts';
import { LINK_INDEX, MAIL_INDEXES } from './mails.ts';
import { NOTICE_INDEXES } from './notices.ts';

/** How long a ticket that never opened is kept: longer than any call that may still open it. */
const OPENING_SECONDS = 3_600;

export const migrations: Migration[] = [
  {
    number: 1,
    name: 'indexes of 0.1.0',
    beside: '0.1.0',
    async run(db) {
      await db.collection('threads').createIndexes([
        { key: { account: 1, kind: 1, assistant: 1, deleted_at: 1, created_at: -1, _id: -1 } },
        { key: { account: 1, kind: 1, assistant: 1, deleted_at: 1, status: 1, created_at: -1, _id: -1 } },
        {
          key: { account: 1, kind: 1, assistant: 1, address: 1 },
          partialFilterExpression: { address: { $exists: true } },
        },
        {
          key: { account: 1, kind: 1, assistant: 1, deleted_at: 1, 'votes.vote': 1, created_at: -1, _id: -1 },
          partialFilterExpression: { 'votes.vote': { $exists: true } },
        },
        {
          key: { account: 1, kind: 1, assistant: 1, deleted_at: 1, 'visitor.verified': 1, created_at: -1, _id: -1 },
          partialFilterExpression: { 'visitor.verified': { $exists: true } },
        },
        { key: { session_id: 1 }, unique: true, partialFilterExpression: { session_id: { $exists: true } } },
        { key: { pending_since: 1 }, expireAfterSeconds: OPENING_SECONDS },
        OUTBOX_INDEX,
      ]);
      await db.collection('entries').createIndexes([
        { key: { thread: 1, n: 1 }, unique: true },
        // Reads of what was said skip changes, however many there are, and the other way round.
        { key: { thread: 1, by: 1, n: 1 } },
        { key: { account: 1 } },
      ]);
      await db.collection('evidence').createIndexes([{ key: { thread: 1, n: 1 } }, { key: { account: 1 } }]);
      for (const name of ['blocks', 'list_versions'])
        await db.collection(name).createIndex({ account: 1, kind: 1, assistant: 1 });
      await db.collection('deleted_parents').createIndexes(DELETED_PARENT_INDEXES);
      await db.collection('deleted_accounts').createIndexes([DELETED_ACCOUNT_INDEX]);
    },
  },
  {
    number: 2,
    name: 'answers that are due in tickets and emails',
    beside: '0.1.0',
    async run(db) {
      await db.collection('threads').createIndexes([DUE_INDEX]);
    },
  },
  {
    number: 3,
    name: 'mail in and out',
    beside: '0.1.0',
    async run(db) {
      await db.collection('mails').createIndexes(MAIL_INDEXES);
      await db.collection('notices').createIndexes(NOTICE_INDEXES);
    },
  },
  {
    number: 4,
    name: 'quotas',
    beside: '0.1.0',
    run: async (db) => void (await db.collection(QUOTAS).createIndex({ account: 1 })),
  },
  {
    number: 5,
    name: 'links of tickets',
    beside: '0.1.0',
    run: async (db) => void (await db.collection('mails').createIndexes([LINK_INDEX])),
  },
  {
    number: 6,
    name: 'events of blocks, mails and quotas',
    beside: '0.1.0',
    async run(db) {
      for (const name of ['blocks', 'mails', QUOTAS]) await db.collection(name).createIndexes([OUTBOX_INDEX]);
    },
  },
];
