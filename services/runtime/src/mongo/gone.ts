import type { Collection, Db, IndexDescription } from 'mongodb';
import type { Log } from '../log.ts';
import { createLoop, type Loop } from '../loop.ts';
import { dueAgain, workOnDue } from './due.ts';
import { isDuplicate } from './errors.ts';
import { compute, literal } from './write.ts';

/** The tombstone of a parent in another database, and the job of removing its children here. */
export interface GoneDoc {
  /** The parent's id. */
  _id: string;
  account: string;
  /** When it was last marked. */
  at: Date;
  /** When the sweeper removes children again. */
  due: Date;
}

/** Indexes of `gone`: for the sweeper, and for the eraser of accounts. */
export const GONE_INDEXES: IndexDescription[] = [{ key: { due: 1 } }, { key: { account: 1 } }];

export const goneCollection = (db: Db): Collection<GoneDoc> => db.collection<GoneDoc>('gone');

export type GoneParents = ReturnType<typeof goneParents>;

/**
 * Deleted parents that live in other databases. A writer inserts a child, then checks `isGone` and undoes the insert. The
 * consumer of a deletion only calls `markGone`; the sweeper removes the children. So no interleaving leaves a child behind,
 * and a writer that dies before its undo leaves one to the next sweep.
 */
export function goneParents(db: Db) {
  const marks = goneCollection(db);
  return {
    marks,
    async markGone(account: string, parent: string): Promise<void> {
      const due = { $ifNull: ['$due', '$$NOW'] };
      const mark = [compute({ account: literal(account), at: '$$NOW', due })];
      await marks.updateOne({ _id: parent }, mark, { upsert: true }).catch((error) => {
        // Someone else has just marked it.
        if (!isDuplicate(error)) throw error;
      });
    },
    async isGone(parent: string): Promise<boolean> {
      return (await marks.findOne({ _id: parent }, { projection: { _id: 1 } })) !== null;
    },
  };
}

const REST_MS = 2_000;
const FIRST_PAUSE_MS = 2_500;
const LONGEST_PAUSE_MS = 3_600_000;
const DAY_MS = 24 * 3_600_000;

/**
 * Removes the children of parents that are gone: at once, and again each time the mark is half as old again. The mark stands
 * for a day, which leaves room for a suspended writer, and for as long as anything is left. Every replica may run it: only one
 * works on a parent at a time.
 *
 * @param options.remove idempotent; returns whether nothing is left.
 */
export function createGoneSweeper(options: {
  gone: GoneParents;
  log: Log;
  remove(account: string, parent: string, signal: AbortSignal): Promise<boolean>;
}): Loop {
  const { marks } = options.gone;
  const age = { $subtract: ['$$NOW', '$at'] };
  const isOld = { $expr: { $gte: [age, DAY_MS] } };
  const pause = { $min: [LONGEST_PAUSE_MS, { $max: [FIRST_PAUSE_MS, { $divide: [age, 2] }] }] };

  const round = (signal: AbortSignal) =>
    workOnDue({ collection: marks, due: 'due', signal }, async ({ _id, account }, claimed, signal) => {
      const isEmpty = await options.remove(account, _id, signal);
      if (isEmpty && (await marks.deleteOne({ ...claimed, ...isOld })).deletedCount === 1) return;
      await marks.updateOne(claimed, [dueAgain('due', { $add: ['$$NOW', pause] })]);
    });

  return createLoop({ name: 'sweeper of what lost its parent', restMs: REST_MS, log: options.log, round });
}
