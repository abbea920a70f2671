import { notFound, unavailable } from '@parley/runtime';
import {
  compute,
  createdWithin,
  type Dates,
  type Fact,
  goneParents,
  insertOnce,
  LIVE,
  outbox,
  type Page,
  type PageRequest,
  page,
  stampStore,
  totalsOf,
} from '@parley/runtime/mongo';
import type { Collection, Db, Document, Filter } from 'mongodb';
import { type Entries, entryStore } from './entries.ts';
import type { Place, ThreadDoc, ThreadRef, ThreadStamps } from './model.ts';
import { append, type NewEntries } from './stages.ts';

export const threadCollection = (db: Db): Collection<ThreadDoc> => db.collection<ThreadDoc>('threads');

/** One change of a thread. */
export interface Act extends NewEntries {
  /** What must still hold besides the `n` that was read. */
  guard?: Filter<ThreadDoc>;
  /** Pipeline stages: its other effects on the thread. */
  effects?: Document[];
  facts?: Fact[];
}

export type NewThread = Pick<ThreadDoc, '_id' | 'kind' | 'assistant'> &
  Partial<Pick<ThreadDoc, 'session_id' | 'status' | 'priority' | 'from' | 'address' | 'subject'>>;

/** A thread in a list. */
export type ListedThread = Omit<ThreadDoc, 'last' | 'outbox'>;

/** What a list is filtered by. */
export interface ListFilter extends Dates {
  /** Any of these; all if empty. */
  statuses?: readonly string[];
}

/** Runs work in the background; the store does not depend on its success. */
export type Beside = (work: () => Promise<void>) => void;

export type Threads = ReturnType<typeof threadStore>;

/** Threads and their entries. Writes take a thread that was read before and fail if its `n` has changed since. */
export function threadStore(db: Db, beside: Beside = (work) => void work().catch(() => {})) {
  const threads = threadCollection(db);
  const entries: Entries = entryStore(db);
  const stamps: ThreadStamps = stampStore(db, ['kind', 'assistant']);
  const totals = totalsOf(threads, stamps);

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
  const keepLast = (thread: ThreadDoc): void => beside(() => keep(thread));

  return {
    entries,
    stamps,
    /** Assistants that were deleted. */
    gone: goneParents(db),
    collection: threads,
    keepLast,

    /** Newest first. */
    list(
      { account, kind, assistant }: Place,
      { statuses = [], ...dates }: ListFilter,
      request: PageRequest,
    ): Promise<Page<ListedThread>> {
      const place = { account, kind, assistant };
      const status = statuses.length > 0 && { status: { $in: [...new Set(statuses)].sort() } };
      const filter = { ...place, ...LIVE, ...status };
      return page(threads, { ...filter, ...createdWithin(dates) }, request, {
        projection: { last: 0, outbox: 0 },
        total: () => totals.total(place, filter, dates),
      });
    },

    thread: (account: string, id: string) => one({ _id: id, account }, 'conversation'),

    find: ({ account, kind, assistant, id }: ThreadRef) => one({ _id: id, account, kind, assistant }, kind),

    bySession: (account: string, assistant: string, session: string) =>
      one({ session_id: session, account, kind: 'chat', assistant }, 'session'),

    /**
     * Creates a thread, with a first entry if given; undefined if an earlier call has created it. The entry stays in the
     * thread until `keepLast` or the next act.
     */
    async open(
      account: string,
      thread: NewThread,
      first?: Omit<Act, 'guard'>,
      stages: Document[] = [],
    ): Promise<ThreadDoc | undefined> {
      const fields = { ...BLANK, ...thread, account };
      const said = first ? stagesOf(first) : [compute({ updated_at: '$$NOW' })];
      return insertOnce(threads, fields, [...said, ...stages]);
    },

    /** Makes a change; null if the thread has changed since it was read or the guard does not hold. */
    async act(thread: ThreadDoc, act: Act): Promise<ThreadDoc | null> {
      if (thread.last) await entries.keep(thread.last);
      const { _id, account, n } = thread;
      const filter: Filter<ThreadDoc> = { $and: [{ _id, account, n, ...LIVE }, act.guard ?? {}] };
      const acted = await threads.findOneAndUpdate(filter, stagesOf(act), { returnDocument: 'after' });
      if (acted) keepLast(acted);
      // It may have been deleted since it was read.
      else keepLast(thread);
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

const stagesOf = ({ effects = [], facts = [], guard, ...entries }: Act): Document[] => [
  ...append(entries),
  ...effects,
  ...facts.flatMap(outbox),
];

/** Each further attempt means that someone else has changed the thread. */
const MAX_ATTEMPTS = 20;

/** Retries a read and a write that lose a race. @param attempt returns null if it lost. */
export async function insist<T>(attempt: () => Promise<T | null>): Promise<T> {
  for (let i = 0; i < MAX_ATTEMPTS; i++) {
    const done = await attempt();
    if (done !== null) return done;
  }
  throw unavailable('Too many changes to this conversation at once. Try again.');
}
