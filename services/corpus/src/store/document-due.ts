import { compute } from '@parley/runtime/mongo';
import type { Document } from 'mongodb';

/** A document that has not been finalized by then is deleted. */
export const UNFINALIZED_MS = 24 * 3_600_000;

/** Stage: when the sweeper next has something to do: delete a stray object, or the whole document. */
export const documentDue: Document = compute({
  document_due: {
    $min: [
      { $min: '$document.strays.due' },
      { $cond: [{ $eq: ['$document.finalized_at', null] }, { $add: ['$created_at', UNFINALIZED_MS] }, null] },
    ],
  },
});

/**
 * For the purge of items: how long after its deletion something may still be written to one. At least `leastMs`; an upload
 * in progress may store its object until it is due.
 */
export const itemSettleMs = (leastMs: number): Document => ({
  $max: [leastMs, { $subtract: [{ $max: '$document.strays.due' }, '$deleted_at'] }],
});
