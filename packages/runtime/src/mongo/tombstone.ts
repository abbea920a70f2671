import type { Collection, Document } from 'mongodb';
import type { Log } from '../log.ts';
import { createLoop, type Loop } from '../loop.ts';
import { type Claimed, dueAgain, workOnDue } from './due.ts';
import { type EventPayload, outbox, type WithOutbox } from './outbox.ts';
import { compute } from './write.ts';

/** Part of every filter: excludes deleted documents. */
export const LIVE = { deleted_at: null } as const;

/** Pipeline stages that delete a document: a tombstone and its event in one write. The purge removes the data later. */
export const tombstone = (payload: EventPayload): Document[] => [{ $set: { deleted_at: '$$NOW' } }, ...outbox(payload)];

/** Partial index of tombstones that are not purged yet. */
export const TOMBSTONE_INDEX = {
  key: { deleted_at: 1 },
  partialFilterExpression: { deleted_at: { $type: 'date' } },
} as const;

const REST_MS = 5_000;
/** Field of a tombstone: when to purge it again after a failure. */
const DUE = 'purge_due';

/**
 * Removes the data of deleted documents: at once, and again after `settleMs`, the longest time that a writer unaware of the
 * deletion may still write (its lease). Then removes the tombstone, once its outbox is empty. One process at a time works on a document, and one that
 * can't be purged is tried again later and holds up no other.
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

  const purge = (filter: Document, signal: AbortSignal, end: (claimed: Claimed) => Promise<unknown>) =>
    workOnDue(
      { collection: tombstones, due: DUE, filter, sort: { deleted_at: 1 }, signal },
      async (found, claimed, signal) => {
        await options.purge(found as unknown as T, signal);
        await end(claimed);
      },
    );

  async function round(signal: AbortSignal): Promise<boolean> {
    const fresh = { ...deleted, purged_at: null };
    const last = { ...deleted, purged_at: { $type: 'date' }, outbox_due: null, $expr: settled };
    const purged = [compute({ purged_at: '$$NOW' }), dueAgain(DUE)];
    return (
      (await purge(fresh, signal, (claimed) => tombstones.updateOne(claimed, purged))) ||
      (await purge(last, signal, (claimed) => tombstones.deleteOne({ ...claimed, outbox_due: null })))
    );
  }

  return createLoop({ name: `purge of ${tombstones.collectionName}`, restMs: REST_MS, log: options.log, round });
}
