import type { Collection, Db, Document } from 'mongodb';
import type { Log } from '../log.ts';
import { createLoop, type Loop } from '../loop.ts';
import { type Fact, outbox, type WithOutbox } from './outbox.ts';

/** Part of every filter: excludes deleted documents. */
export const LIVE = { deleted_at: null } as const;

/** Pipeline stages that delete a document: a tombstone and its fact in one write. The purge removes the data later. */
export const tombstone = (fact: Fact): Document[] => [{ $set: { deleted_at: '$$NOW' } }, ...outbox(fact)];

/** Partial index of tombstones that are not purged yet. */
export const TOMBSTONE_INDEX = {
  key: { deleted_at: 1 },
  partialFilterExpression: { deleted_at: { $type: 'date' } },
} as const;

const REST_MS = 5_000;

/**
 * Removes the data of deleted documents: at once, and again after `settleMs`, the longest time that a writer unaware of the
 * deletion may still write (its lease). Then removes the tombstone, once its outbox is empty.
 *
 * @param purge idempotent; removes the children of one deleted document from every store.
 */
export function createPurge<T extends Document & WithOutbox>(options: {
  collection: Collection<T>;
  /** Or an expression for it. */
  settleMs: number | Document;
  log: Log;
  purge(deleted: T, signal: AbortSignal): Promise<void>;
}): Loop {
  const tombstones = options.collection as unknown as Collection<Document & { _id: string }>;
  const deleted = { deleted_at: { $type: 'date' } };
  const settled = { $lte: [{ $add: ['$deleted_at', options.settleMs] }, '$$NOW'] };

  async function purge(filter: Document, signal: AbortSignal): Promise<Document | undefined> {
    const found = await tombstones.findOne(filter);
    if (found) await options.purge(found as unknown as T, signal);
    return found ?? undefined;
  }

  async function round(signal: AbortSignal): Promise<boolean> {
    const fresh = await purge({ ...deleted, purged_at: null }, signal);
    if (fresh) {
      await tombstones.updateOne({ _id: fresh['_id'] }, { $currentDate: { purged_at: true } });
      return true;
    }
    const last = await purge({ ...deleted, purged_at: { $type: 'date' }, outbox_due: null, $expr: settled }, signal);
    if (last) await tombstones.deleteOne({ _id: last['_id'], outbox_due: null });
    return last !== undefined;
  }

  return createLoop({ name: `purge of ${tombstones.collectionName}`, restMs: REST_MS, log: options.log, round });
}

/** Index of `gone`: an entry expires a day after it was last marked. See `goneParents`. */
export const GONE_INDEX = { key: { at: 1 }, expireAfterSeconds: 24 * 3600 } as const;

/**
 * Deleted parents that live in other databases. A writer inserts a child, then checks `isGone` and undoes the insert. The
 * consumer of a deletion calls `markGone` before it removes the children. So no interleaving leaves a child behind.
 *
 * Only writers that found the parent before its deletion and have not checked yet need an entry. They are calls or hold
 * leases, of minutes at most; a day leaves room for a suspended process. Without `GONE_INDEX` the collection would grow
 * forever.
 */
export function goneParents(db: Db) {
  const gone = db.collection<{ _id: string; at?: Date }>('gone');
  return {
    async markGone(parent: string): Promise<void> {
      await gone.updateOne({ _id: parent }, { $currentDate: { at: true } }, { upsert: true });
    },
    async isGone(parent: string): Promise<boolean> {
      return (await gone.findOne({ _id: parent })) !== null;
    },
  };
}
