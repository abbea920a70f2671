import { notFound, retryOnConflict as retry, unavailable } from '@parley/runtime';
import {
  compute,
  createdWithin,
  type Dates,
  deletedParents,
  type EventPayload,
  insertOnce,
  LIVE,
  listed,
  listVersionStore,
  outbox,
  type Page,
  type PageRequest,
  page,
  totalsOf,
} from '@parley/runtime/mongo';
import type { Collection, Db, Document, Filter } from 'mongodb';
import type { VoteKind } from '../domain/visitors.ts';
import { type Entries, entryStore } from './entries.ts';
import type { ListedThreads, ThreadDoc, ThreadListVersions, ThreadRef, ThreadScope } from './model.ts';
import { append, type NewEntries } from './stages.ts';
import { type ThreadLimits, usageStore } from './usage.ts';

export const threadCollection = (db: Db): Collection<ThreadDoc> => db.collection<ThreadDoc>('threads');

/** One change of a thread. */
export interface ThreadChange extends NewEntries {
  /** Condition that must still hold, besides the `n` that was read. */
  guard?: Filter<ThreadDoc>;
  /** Pipeline stages: its other effects on the thread. */
  effects?: Document[];
  events?: EventPayload[];
}

export type NewThread = Pick<ThreadDoc, '_id' | 'kind' | 'assistant'> &
  Partial<
    Pick<ThreadDoc, 'session_id' | 'visitor' | 'status' | 'priority' | 'from' | 'address' | 'subject' | 'file_bytes'>
  >;

/** A thread in a list. */
export type ListedThread = Omit<ThreadDoc, 'last' | 'outbox'>;

/** The filter of a list. */
export interface ListFilter extends Dates {
  /** Any of these; all if empty. */
  statuses?: readonly string[];
  /** Chats only: with such a vote. */
  vote?: VoteKind | undefined;
  /** Chats only: whether the visitor is verified. */
  verified?: boolean | undefined;
}

/** Runs work in the background; the store does not depend on its success. */
export type Beside = (work: () => Promise<void>) => void;

export type Threads = ReturnType<typeof threadStore>;

/** Threads and their entries. Writes take a thread that was read before and fail if its `n` has changed since. */
export function threadStore(db: Db, limits: ThreadLimits, beside: Beside = (work) => void work().catch(() => {})) {
  const entries: Entries = entryStore(db);
  const listVersions: ThreadListVersions = listVersionStore(db, ['kind', 'assistant']);
  const usage = usageStore(db, threadCollection(db), limits);
  const threads: ListedThreads = listed(threadCollection(db), listVersions, usage);
  const totals = totalsOf(threads, listVersions);

  async function one(filter: Filter<ThreadDoc> & { account: string }, what: string): Promise<ThreadDoc> {
    const thread = await threads.findOne({ ...filter, ...LIVE });
    if (!thread) throw notFound(`There is no such ${what}.`);
    return thread;
  }

  /** Copies the newest entry, and undoes it if the thread was deleted meanwhile: the deletion may not have seen it. */
  async function keep({ _id, account, last }: ThreadDoc): Promise<void> {
    if (!last) return;
    await entries.keep(last);
    const live = await threads.findOne({ _id, account, ...LIVE }, { projection: { _id: 1 } });
    if (!live) await entries.drop(account, [_id]);
  }

  /** In the background. A process that dies here loses nothing: the next writer copies the entry first. */
  const persistLastEntry = (thread: ThreadDoc): void => beside(() => keep(thread));

  return {
    entries,
    listVersions,
    usage,
    /** Assistants that were deleted. */
    deletedAssistants: deletedParents(db),
    collection: threads,
    persistLastEntry,

    /** Newest first. */
    list(
      { account, kind, assistant }: ThreadScope,
      { statuses = [], vote, verified, ...dates }: ListFilter,
      request: PageRequest,
    ): Promise<Page<ListedThread>> {
      const scope = { account, kind, assistant };
      const status = statuses.length > 0 && { status: { $in: [...new Set(statuses)].sort() } };
      const visitor = {
        ...(vote !== undefined && { 'votes.vote': vote }),
        ...(verified !== undefined && { 'visitor.verified': verified }),
      };
      const filter = { ...scope, ...LIVE, ...status, ...visitor };
      return page(threads, { ...filter, ...createdWithin(dates) }, request, {
        projection: { last: 0, outbox: 0, 'draft.text': 0, 'draft.sources': 0 },
        total: () => totals.total(scope, filter, dates),
      });
    },

    thread: (account: string, id: string) => one({ _id: id, account }, 'conversation'),

    find: ({ account, kind, assistant, id }: ThreadRef) => one({ _id: id, account, kind, assistant }, kind),

    bySession: (account: string, assistant: string, session: string) =>
      one({ session_id: session, account, kind: 'chat', assistant }, 'session'),

    /**
     * Creates a thread, within `collection.write`, with a first entry if given; undefined if an earlier call has created it. The entry stays in the
     * thread until `persistLastEntry` or the next act.
     */
    async open(
      raw: Collection<ThreadDoc>,
      account: string,
      thread: NewThread,
      first?: Omit<ThreadChange, 'guard'>,
      stages: Document[] = [],
    ): Promise<ThreadDoc | undefined> {
      const fields = { ...BLANK, ...thread, account };
      const said = first ? stagesOf(first) : [compute({ updated_at: '$$NOW' })];
      return insertOnce(raw, fields, [...said, ...stages]);
    },

    /** Makes a change without an entry; null if the thread has changed since it was read or the guard does not hold. */
    change: ({ _id, account, n }: ThreadDoc, stages: Document[], guard: Filter<ThreadDoc> = {}) =>
      threads.unlisted.findOneAndUpdate({ $and: [{ _id, account, n, ...LIVE }, guard] }, stages, {
        returnDocument: 'after',
      }),

    /** Makes a change; null if the thread has changed since it was read or the guard does not hold. */
    async act(thread: ThreadDoc, act: ThreadChange): Promise<ThreadDoc | null> {
      if (thread.last) await entries.keep(thread.last);
      const { _id, account, n } = thread;
      const filter: Filter<ThreadDoc> = { $and: [{ _id, account, n, ...LIVE }, act.guard ?? {}] };
      const acted = await threads.unlisted.findOneAndUpdate(filter, stagesOf(act), { returnDocument: 'after' });
      if (acted) persistLastEntry(acted);
      // It may have been deleted since it was read.
      else persistLastEntry(thread);
      return acted;
    },
  };
}

const BLANK: Omit<ThreadDoc, '_id' | 'account' | 'kind' | 'assistant' | 'created_at' | 'updated_at'> = {
  n: 0,
  last: null,
  questions: 0,
  bytes: 0,
  status: null,
  priority: null,
  hold: null,
  blocked_at: null,
  pending: null,
  fence: 0,
  failed: null,
  waiting: [],
  deleted_at: null,
};

const stagesOf = ({ effects = [], events = [], guard, ...entries }: ThreadChange): Document[] => [
  ...append(entries),
  ...effects,
  ...events.flatMap((event) => outbox(event)),
];

/** Each further attempt means that someone else has changed the thread. */
const MAX_ATTEMPTS = 20;

/** Retries a read and a write that lose a race. @param attempt returns null if it lost. */
export const retryOnConflict = <T>(attempt: () => Promise<T | null>): Promise<T> =>
  retry(attempt, MAX_ATTEMPTS, () => unavailable('Too many changes to this conversation at once. Try again.'));
