import type { Collection, Db, IndexDescription } from 'mongodb';
import { deriveId } from '../ids.ts';
import type { Log } from '../log.ts';
import { createLoop, type Loop } from '../loop.ts';
import { dueAgain, workOnDue } from './due.ts';
import { isDuplicate } from './errors.ts';
import { compute, literal } from './write.ts';

/** The tombstone of a parent in another database, and the job of removing its children here. */
export interface DeletedParentDoc {
  /** Derived from the account and the parent: a deletion in one account must say nothing about another's. */
  _id: string;
  account: string;
  parent: string;
  /** When it was last marked. */
  at: Date;
  /** When the sweeper removes children again. */
  due: Date;
}

/** Indexes of `deleted_parents`: for the sweeper, and for the eraser of accounts. */
export const DELETED_PARENT_INDEXES: IndexDescription[] = [{ key: { due: 1 } }, { key: { account: 1 } }];

export const deletedParentCollection = (db: Db): Collection<DeletedParentDoc> =>
  db.collection<DeletedParentDoc>('deleted_parents');

export type DeletedParents = ReturnType<typeof deletedParents>;

/**
 * Deleted parents that live in other databases. A writer inserts a child, then checks `isDeleted` and undoes the insert. The
 * consumer of a deletion only calls `markDeleted`; the sweeper removes the children. So no interleaving leaves a child behind,
 * and a writer that dies before its undo leaves one to the next sweep.
 */
export function deletedParents(db: Db) {
  const tombstones = deletedParentCollection(db);
  const one = (account: string, parent: string) => ({ _id: deriveId('deleted parent', account, parent), account });
  return {
    tombstones,
    async markDeleted(account: string, parent: string): Promise<void> {
      const due = { $ifNull: ['$due', '$$NOW'] };
      const deleted = [compute({ parent: literal(parent), at: '$$NOW', due })];
      await tombstones.updateOne(one(account, parent), deleted, { upsert: true }).catch((error) => {
        // Someone else has just marked it.
        if (!isDuplicate(error)) throw error;
      });
    },
    async isDeleted(account: string, parent: string): Promise<boolean> {
      return (await tombstones.findOne(one(account, parent), { projection: { _id: 1 } })) !== null;
    },
  };
}

const REST_MS = 2_000;
const FIRST_PAUSE_MS = 2_500;
const LONGEST_PAUSE_MS = 3_600_000;
const DAY_MS = 24 * 3_600_000;

/**
 * Removes the children of parents that are gone: at once, and again each time the tombstone is half as old again. It stands
 * for a day, which leaves room for a suspended writer, and for as long as anything is left. Every replica may run it: only one
 * works on a parent at a time.
 *
 * @param options.remove idempotent; returns whether nothing is left.
 */
export function createOrphanSweeper(options: {
  deleted: DeletedParents;
  log: Log;
  remove(account: string, parent: string, signal: AbortSignal): Promise<boolean>;
}): Loop {
  const { tombstones } = options.deleted;
  const age = { $subtract: ['$$NOW', '$at'] };
  const isOld = { $expr: { $gte: [age, DAY_MS] } };
  const pause = { $min: [LONGEST_PAUSE_MS, { $max: [FIRST_PAUSE_MS, { $divide: [age, 2] }] }] };

  const round = (signal: AbortSignal) =>
    workOnDue({ collection: tombstones, due: 'due', signal }, async ({ account, parent }, claimed, signal) => {
      const isEmpty = await options.remove(account, parent, signal);
      if (isEmpty && (await tombstones.deleteOne({ ...claimed, ...isOld })).deletedCount === 1) return;
      await tombstones.updateOne(claimed, [dueAgain('due', { $add: ['$$NOW', pause] })]);
    });

  return createLoop({ name: 'sweeper of what lost its parent', restMs: REST_MS, log: options.log, round });
}
