import { compute, LIVE, literal } from '@parley/runtime/mongo';
import type { Document, Filter } from 'mongodb';
import { KINDS, type Listed, type ThreadDoc, type ThreadScope } from './model.ts';
import type { Threads } from './threads.ts';
import { RESOURCES } from './usage.ts';

/** Threads removed at a time. */
const BATCH = 200;
/** Longer than a call or a claim that began before a thread was deleted can still write to it. */
const SETTLE_MS = 10 * 60_000;

/** No writer finds the thread any more, nor does an opening that has not ended. Nothing that a person has said stays in it. */
const ended: Document = compute({
  deleted_at: '$$NOW',
  pending_since: '$$REMOVE',
  last: null,
  from: '$$REMOVE',
  address: '$$REMOVE',
  subject: '$$REMOVE',
  draft: '$$REMOVE',
  pending: null,
  visitor: '$$REMOVE',
  votes: '$$REMOVE',
});
/** Nobody is to hear of it. */
const unsaid: Document = compute({ outbox: literal([]), outbox_due: '$$REMOVE' });

export type Removal = ReturnType<typeof removalStore>;

/**
 * Removes what belongs to assistants that were deleted; `others` are stores of what is beside their threads, and say whether
 * nothing is left there. A thread stays as a tombstone for a while after its entries were removed, and then they are removed
 * once more: a writer that did not know of its deletion may have died before its undo.
 */
export function removalStore(
  { collection, entries, listVersions, deletedAssistants }: Threads,
  others: readonly { drop(scope: ThreadScope): Promise<boolean> }[],
) {
  /** First ends all writing, so that no writer who looks again adds an entry after the entries were removed. */
  async function end({ account, kind }: Pick<Listed, 'account' | 'kind'>, ids: string[], stages: Document[]) {
    await collection.write(
      async (raw) => {
        const these = { _id: { $in: ids }, account };
        const { modifiedCount } = await raw.updateMany({ ...these, ...LIVE }, stages);
        // Those that are not open, or ended already.
        if (modifiedCount < ids.length) await raw.updateMany({ ...these, deleted_at: { $ne: null } }, stages);
        return { result: undefined, changed: [], counted: { [RESOURCES[kind]]: -modifiedCount } };
      },
      { account, most: {} },
    );
    await entries.drop(account, ids);
  }

  /** Does something to all threads that a filter finds, until it finds none. */
  async function each(
    filter: Filter<ThreadDoc>,
    signal: AbortSignal | undefined,
    act: (ids: string[]) => Promise<unknown>,
  ): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      const found = await collection.find(filter, { projection: { _id: 1 }, limit: BATCH }).toArray();
      if (found.length === 0) return;
      await act(found.map(({ _id }) => _id));
    }
  }

  /** Returns whether none is left. */
  async function sweepThreads(scope: ThreadScope, settleMs: number, signal?: AbortSignal): Promise<boolean> {
    const { account } = scope;
    const all: Filter<ThreadDoc> = { ...scope };
    for (const living of [LIVE, { pending_since: { $type: 'date' as const } }])
      await each({ ...all, ...living }, signal, (ids) => end(scope, ids, [ended]));
    const settled: Filter<ThreadDoc> = {
      deleted_at: { $type: 'date' },
      outbox_due: { $exists: false },
      $expr: { $lte: [{ $add: ['$deleted_at', settleMs] }, '$$NOW'] },
    };
    await each({ ...all, ...settled }, signal, async (ids) => {
      await entries.drop(account, ids);
      await collection.unlisted.deleteMany({ _id: { $in: ids }, account, ...settled });
    });
    return (await collection.findOne(all, { projection: { _id: 1 } })) === null;
  }

  /** Ends a thread that was created after its assistant was deleted, with its event. The sweeper removes it. */
  async function undo(thread: Listed & { _id: string }): Promise<void> {
    await deletedAssistants.markDeleted(thread.account, thread.assistant);
    await end(thread, [thread._id], [ended, unsaid]);
    await listVersions.drop(thread);
  }

  return {
    undo,

    /**
     * Does again what the writer of a thread's event does after its write, since it may have died before: bumps the versions,
     * which may not even exist yet, and ends the thread if its assistant was deleted meanwhile. Idempotent.
     */
    async settle(account: string, id: string): Promise<void> {
      const projection = { account: 1, kind: 1, assistant: 1, created_at: 1 };
      const thread = await collection.findOne<Listed & { _id: string }>({ _id: id, account, ...LIVE }, { projection });
      if (!thread) return;
      await collection.write(async () => ({ result: undefined, changed: [thread] }));
      if (await deletedAssistants.isDeleted(account, thread.assistant)) await undo(thread);
    },

    /** From now on, nothing of the assistant can be created; the sweeper removes what it had. Idempotent. */
    forget: (account: string, assistant: string): Promise<void> => deletedAssistants.markDeleted(account, assistant),

    /**
     * Removes what an assistant had, as far as that is possible yet: all stays until its events are published, and threads until
     * late writers have ended. Returns whether nothing is left. Idempotent.
     */
    async sweep(
      account: string,
      assistant: string,
      { settleMs = SETTLE_MS, signal }: { settleMs?: number; signal?: AbortSignal } = {},
    ): Promise<boolean> {
      let left = false;
      for (const kind of KINDS) {
        const scope = { account, kind, assistant };
        if (!(await sweepThreads(scope, settleMs, signal))) left = true;
        for (const other of others) if (!(await other.drop(scope))) left = true;
        await listVersions.drop(scope);
      }
      return !left;
    },
  };
}
