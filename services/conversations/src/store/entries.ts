import { alreadyExists } from '@parley/runtime';
import { deleteInParts, isDuplicate, type Page, type PageRequest, page } from '@parley/runtime/mongo';
import type { Db } from 'mongodb';
import { evidenceStore } from './evidence.ts';
import type { EntryDoc, EvidenceDoc, LastEntry, ThreadDoc } from './model.ts';

type Thread = Pick<ThreadDoc, '_id' | 'account' | 'n' | 'last'>;

export type Entries = ReturnType<typeof entryStore>;

/** Everything but changes. */
const IS_MESSAGE = { by: { $in: ['user', 'ai', 'owner', 'persona'] as EntryDoc['by'][] } };

/** The entries of threads. The newest ones of a thread may be in the thread only. */
export function entryStore(db: Db) {
  const entries = db.collection<EntryDoc>('entries');
  const evidence = evidenceStore(db);

  async function keepOne({ _id, thread, account, ...rest }: EntryDoc): Promise<void> {
    const put = () => entries.updateOne({ _id, thread, account }, { $setOnInsert: rest }, { upsert: true });
    try {
      // Of two concurrent upserts, one gets a duplicate key; its second attempt finds the entry.
      await put().catch((error) => (isDuplicate(error) ? put() : Promise.reject(error)));
    } catch (error) {
      throw isDuplicate(error) ? usedElsewhere() : error;
    }
  }

  /** Copies the newest entry of a thread, and what was added with it, to where they stay. Idempotent. */
  async function keep(last: LastEntry): Promise<void> {
    if (last.evidence) await evidence.keep(last.evidence);
    for (const entry of entriesOf(last)) await keepOne(entry);
  }

  /** In the thread's `last`, or among the earlier entries of all threads of its account. */
  async function anywhere({ account, last }: Thread, id: string): Promise<EntryDoc | undefined> {
    const newest = entriesOf(last).find((entry) => entry._id === id);
    return newest ?? (await entries.findOne({ _id: id, account })) ?? undefined;
  }

  return {
    evidence,
    keep,

    /**
     * Finds an entry of a thread that was read before: in its `last`, or among the earlier ones here.
     *
     * @throws AppError `already_exists` if the entry is in another thread of the account.
     */
    async find(thread: Thread, id: string): Promise<EntryDoc | undefined> {
      const found = await anywhere(thread, id);
      if (found && found.thread !== thread._id) throw usedElsewhere();
      return found;
    },

    /** The same, but undefined for an entry of another thread. */
    async own(thread: Thread, id: string): Promise<EntryDoc | undefined> {
      const found = await anywhere(thread, id);
      return found?.thread === thread._id ? found : undefined;
    },

    /**
     * The entries of a thread as of when it was read, by `n`. At most the last `limit` ones below `before`.
     *
     * @param options.said leaves out changes.
     */
    async of(thread: Thread, options: { before?: number; limit?: number; said?: boolean } = {}): Promise<EntryDoc[]> {
      const { _id, account, n, last } = thread;
      const { before = n + 1, limit = 0, said = false } = options;
      const below = { n: { $lt: Math.min(before, n + 1) } };
      const stored = entries.find({ thread: _id, account, ...below, ...(said && IS_MESSAGE) }).sort({ n: -1 });
      const found = await stored.limit(limit).toArray();
      const kept = new Set(found.map((entry) => entry.n));
      for (const entry of entriesOf(last))
        if (entry.n < before && !kept.has(entry.n) && !(said && entry.by === 'system')) found.push(entry);
      found.sort((a, b) => a.n - b.n);
      return limit ? found.slice(-limit) : found;
    },

    /** Removes all entries of threads, and their evidence. */
    async drop(account: string, threads: readonly string[]): Promise<void> {
      const filter = { account, thread: { $in: [...threads] } };
      await deleteInParts(entries, filter);
      await evidence.drop(account, threads);
    },

    /** Returns what each answer rests on, in the order of the questions. */
    async evidenceOf({ _id, account, last }: Thread, request: PageRequest): Promise<Page<EvidenceDoc>> {
      if (last?.evidence) await evidence.keep(last.evidence);
      return evidence.list(account, _id, request);
    },

    /** Changes of status and priority, newest first. */
    async changes({ _id, account, last }: Thread, request: PageRequest): Promise<Page<EntryDoc>> {
      if (last) await keep(last);
      return page(entries, { thread: _id, account, by: 'system' }, request, {
        order: { fields: ['n'], direction: -1 },
      });
    },
  };
}

/** The newest entries, in order. */
function entriesOf(last: LastEntry | null): EntryDoc[] {
  if (!last) return [];
  const { before, evidence, ...entry } = last;
  return before ? [before, entry] : [entry];
}

const usedElsewhere = () => alreadyExists('This operation was used for another message.');
