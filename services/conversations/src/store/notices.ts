import { compute, deleteInParts, fromNow, isDuplicate, literal, passed } from '@parley/runtime/mongo';
import { deriveId, randomId } from '@parley/runtime/rpc';
import type { Collection, Db, Document, IndexDescription } from 'mongodb';
import type { ThreadRef, ThreadScope } from './model.ts';
import type { MailClaim, Outcome } from './outgoing.ts';
import { unlessOf } from './stages.ts';

/** The topics of notices to owners, in the order of the contract's enum. */
export const TOPICS = ['new', 'waiting'] as const;
export type Topic = (typeof TOPICS)[number];

/** The news of an assistant's threads that are still to be sent to an address of an owner. One for each topic. */
export interface NoticeDoc extends ThreadScope {
  _id: string;
  /** As the owner has written it. */
  address: string;
  topic: Topic;
  /** Not told yet, the latest last. */
  threads: string[];
  /** How many notices were sent. */
  n: number;
  /** The threads that the claimed notice is about. */
  telling?: string[];
  /** The first attempt of the notice that is due. */
  since?: Date;
  /** When to tell, or when the claim on it ends; absent if there is nothing to tell. */
  due?: Date;
  claim?: string;
  sent_at?: Date;
}

export const noticeCollection = (db: Db): Collection<NoticeDoc> => db.collection<NoticeDoc>('notices');

export const NOTICE_INDEXES: IndexDescription[] = [
  { key: { account: 1, assistant: 1 } },
  { key: { due: 1 }, partialFilterExpression: { due: { $exists: true } } },
];

/** An address gets no more than one notice of a topic in this time. */
const REST_MS = 3_600_000;
const RETRY_MS = 10 * 60_000;
const TRIED_MS = 48 * 3_600_000;
/** Threads that one notice counts. */
const MAX_THREADS = 100;

export type Notices = ReturnType<typeof noticeStore>;

/** The mails that tell owners of their threads. */
export function noticeStore(db: Db) {
  const notices = noticeCollection(db);
  return {
    /** Tells an address of a thread: at once, or an hour after it was told something before. Idempotent until then. */
    async queue({ account, kind, assistant, id }: ThreadRef, topic: Topic, address: string): Promise<void> {
      const _id = deriveId(account, assistant, topic, address);
      const threads = { $slice: [{ $setUnion: [{ $ifNull: ['$threads', []] }, [literal(id)]] }, -MAX_THREADS] };
      const rested = { $max: ['$$NOW', { $add: [{ $ifNull: ['$sent_at', new Date(0)] }, REST_MS] }] };
      const stages = [
        compute({
          kind: literal(kind),
          assistant: literal(assistant),
          topic: literal(topic),
          address: literal(address),
        }),
        compute({ threads, n: { $ifNull: ['$n', 0] }, due: { $ifNull: ['$due', rested] } }),
      ];
      const put = () => notices.updateOne({ _id, account }, stages, { upsert: true });
      // Of two concurrent upserts, one gets a duplicate key; its second attempt finds the document.
      await put().catch((error) => (isDuplicate(error) ? put() : Promise.reject(error)));
    },

    /** Claims the notice that has been due longest; undefined if none is. Takes no account, as for mails. */
    async claim(
      leaseMs: number,
      except: readonly string[] = [],
    ): Promise<(MailClaim & { notice: NoticeDoc }) | undefined> {
      const claim = randomId();
      const lease = { due: fromNow(leaseMs), claim: literal(claim) };
      const taken = compute({ ...lease, telling: '$threads', since: { $ifNull: ['$since', '$$NOW'] } });
      const isDue = { due: { $exists: true }, ...passed('due'), ...unlessOf(except) };
      const notice = await notices.findOneAndUpdate(isDue, [taken], { sort: { due: 1 }, returnDocument: 'after' });
      return notice ? { id: notice._id, claim, notice } : undefined;
    },

    /** Says what became of a claimed notice; false if the claim is no longer the caller's. */
    async end({ id: _id, claim }: MailClaim, outcome: Outcome): Promise<boolean> {
      const isOver = { $lte: [{ $add: ['$since', TRIED_MS] }, '$$NOW'] };
      const stages = outcome === 'postponed' ? postponed(isOver) : sent;
      return (await notices.updateOne({ _id, claim }, stages)).matchedCount > 0;
    },

    /** The notices with this id. Takes no account: a mail that ends them says nothing but the id. */
    find: (id: string): Promise<NoticeDoc | null> => notices.findOne({ _id: id, topic: { $in: [...TOPICS] } }),

    /** Removes all notices about an assistant. */
    async drop({ account, assistant }: ThreadScope): Promise<true> {
      await deleteInParts(notices, { account, assistant });
      return true;
    },
  };
}

/** Keeps news that came meanwhile for the next notice. */
const sent: Document[] = [
  compute({ n: { $add: ['$n', 1] }, threads: { $setDifference: ['$threads', '$telling'] }, sent_at: '$$NOW' }),
  compute({
    due: { $cond: [{ $eq: ['$threads', []] }, '$$REMOVE', fromNow(REST_MS)] },
    ...{ claim: '$$REMOVE', since: '$$REMOVE', telling: '$$REMOVE' },
  }),
];

const postponed = (isOver: Document): Document[] => [
  compute({
    due: { $cond: [isOver, '$$REMOVE', fromNow(RETRY_MS)] },
    since: { $cond: [isOver, '$$REMOVE', '$since'] },
    threads: { $cond: [isOver, literal([]), '$threads'] },
    claim: '$$REMOVE',
  }),
];
