import { compute, deletePublished, insertOnce, type Quota, type WithOutbox } from '@parley/runtime/mongo';
import { deriveId } from '@parley/runtime/rpc';
import type { Collection, Db, Document, Filter, IndexDescription } from 'mongodb';
import type { ThreadScope } from './model.ts';

/** Which thread a mail belongs to, so that a reply to it finds the thread; and what became of one that was sent. */
export interface MailDoc extends ThreadScope, WithOutbox {
  /** The operation of a mail that came in, or the entry that an outgoing one says. */
  _id: string;
  thread: string;
  direction: 'in' | 'out';
  /** Without angle brackets. */
  message_id: string;
  /** The same of a bounded length, for the index. */
  message_key: string;
  /** The other side's address in its normal form. */
  address: string;
  created_at: Date;
  /** Bytes that a received mail and its attachments take in the object store. */
  bytes?: number;
  /** The following fields are of mails that go out. */
  delivery?: DeliveryDoc;
  /** Written by the AI and sent without a person's consent. */
  automatic?: boolean;
  /** It says where a ticket is read. */
  link?: true;
  attempts?: number;
  /** When to try next, or when the claim on it ends; absent once it is sent or has failed. */
  due?: Date;
  claim?: string;
}

export interface DeliveryDoc {
  state: 'queued' | 'sent' | 'failed';
  reason: string | null;
  at: Date;
}

export const mailCollection = (db: Db): Collection<MailDoc> => db.collection<MailDoc>('mails');

export const MAIL_INDEXES: IndexDescription[] = [
  { key: { account: 1, assistant: 1, message_key: 1 } },
  { key: { account: 1, thread: 1, created_at: 1 } },
  { key: { account: 1, address: 1, created_at: 1 }, partialFilterExpression: { direction: 'in' } },
  { key: { due: 1 }, partialFilterExpression: { due: { $exists: true } } },
];

export const LINK_INDEX = {
  key: { account: 1, address: 1, created_at: 1 },
  name: 'links',
  partialFilterExpression: { link: true },
} as const;

export const messageKey = (messageId: string): string => deriveId(messageId);

export type Mails = ReturnType<typeof mailStore>;

const HOUR_MS = 3_600_000;
/** Mails that a thread is known by; a longer conversation is followed by its latest ones. */
const MAX_REFERENCES = 20;

/** The mails of threads. */
export function mailStore(db: Db, usage: Pick<Quota<'mail_bytes'>, 'change' | 'outdate'>) {
  const mails = mailCollection(db);
  const find = (account: string, id: string): Promise<MailDoc | null> => mails.findOne({ _id: id, account });
  return {
    collection: mails,

    /**
     * Inserts a mail, or finds the one that the same operation, or for the same entry, has inserted.
     *
     * @throws QuotaExceeded if the account has no room for its bytes
     */
    keep(mail: Omit<MailDoc, 'created_at' | 'message_key'>, stages: Document[] = []): Promise<MailDoc> {
      const { _id, account, bytes = 0, message_id } = mail;
      const insert = async () => {
        const made = await insertOnce(mails, { ...mail, message_key: messageKey(message_id) }, stages);
        return made
          ? { result: made, counted: { mail_bytes: bytes } }
          : { result: (await find(account, _id))!, counted: {} };
      };
      if (bytes === 0) return insert().then(({ result }) => result);
      return usage.change(account, { mail_bytes: bytes }, insert, () => find(account, _id));
    },

    find,

    /** The mail that was sent under this id. Takes no account: a reply by mail says nothing but the id. */
    findSent: (id: string): Promise<MailDoc | null> => mails.findOne({ _id: id, direction: 'out' }),

    /** Moves a mail that came in to another thread; null if it is in another one already. */
    move: (account: string, id: string, from: string, to: string): Promise<MailDoc | null> =>
      mails.findOneAndUpdate({ _id: id, account, thread: from }, { $set: { thread: to } }, { returnDocument: 'after' }),

    /** The mails with these Message-IDs that an assistant has sent or received. */
    byMessageIds({ account, kind, assistant }: ThreadScope, messageIds: readonly string[]): Promise<MailDoc[]> {
      const message_key = { $in: messageIds.map(messageKey) };
      return mails.find({ account, kind, assistant, message_key }, { limit: 4 * messageIds.length }).toArray();
    },

    /** The latest mails of a thread, oldest first. */
    async latestOf(account: string, thread: string): Promise<MailDoc[]> {
      const latest = mails.find({ account, thread }).sort({ created_at: -1 }).limit(MAX_REFERENCES);
      return (await latest.toArray()).reverse();
    },

    /** Returns what became of what was sent in a thread, by entry. */
    async deliveriesOf(account: string, thread: string): Promise<Map<string, DeliveryDoc>> {
      const sent = mails.find({ account, thread, direction: 'out' }, { projection: { delivery: 1 } });
      return new Map((await sent.toArray()).map(({ _id, delivery }) => [_id, delivery!]));
    },

    /** How many mails an address has sent to an account in the last hour, up to `most`. */
    recentFrom(account: string, address: string, most: number): Promise<number> {
      const recent = { $expr: { $gt: ['$created_at', { $subtract: ['$$NOW', HOUR_MS] }] } };
      const filter: Filter<MailDoc> = { account, address, direction: 'in', ...recent };
      return mails.countDocuments(filter, { limit: most });
    },

    /** The same of the links that were mailed to it. */
    recentLinksTo(account: string, address: string, most: number): Promise<number> {
      const recent = { $expr: { $gt: ['$created_at', { $subtract: ['$$NOW', HOUR_MS] }] } };
      return mails.countDocuments({ account, address, link: true, ...recent }, { limit: most });
    },

    /** Removes all mails of an assistant, once their events are published. Returns whether none is left. */
    async drop({ account, kind, assistant }: ThreadScope): Promise<boolean> {
      const { deleted, isLeft } = await deletePublished(mails, { account, kind, assistant });
      if (deleted > 0) await usage.outdate(account);
      return !isLeft;
    },
  };
}

/** Stage: what became of a mail that goes out. */
export const delivered = (state: DeliveryDoc['state'], reason: Document | null = null): Document =>
  compute({ delivery: { state, reason, at: '$$NOW' } });
