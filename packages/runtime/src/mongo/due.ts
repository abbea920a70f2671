import type { Collection, Document, Sort, WithId } from 'mongodb';
import { randomId } from '../ids.ts';
import { fromNow, keepLease, passed } from './lease.ts';
import { compute, literal } from './write.ts';

/** How long a claim lasts; it is renewed while the work goes on. */
export const CLAIM_MS = 30_000;

/** Filter: the document is still claimed by this work. To be part of every write that ends it. */
export interface Claimed {
  readonly _id: string;
}

/**
 * Works on one document that is due, under a lease: one process at a time, however long it takes. `work` has to set the next
 * due time, or remove the document. If it fails or its process dies, the document is due again when the lease has ended, and
 * others come before it. Returns whether there was one.
 *
 * @param options.sort has an index; by default that of the due time.
 * @param options.due the field with the time; absent: due now. The lease moves it, and is named in a second field.
 */
export async function workOnDue<T extends Document>(
  options: { collection: Collection<T>; due: string; filter?: Document; sort?: Sort; signal: AbortSignal },
  work: (found: WithId<T>, claimed: Claimed, signal: AbortSignal) => Promise<void>,
): Promise<boolean> {
  const { due, filter = {}, sort = { [due]: 1 }, signal } = options;
  const collection = options.collection as unknown as Collection<Document>;
  const claim = randomId();
  const field = claimField(due);
  const isDue = { $and: [filter, passed(due)] };
  const take = compute({ [due]: fromNow(CLAIM_MS), [field]: literal(claim) });
  const found = await collection.findOneAndUpdate(isDue, [take], { sort, returnDocument: 'after' });
  if (!found) return false;
  const claimed = { _id: found._id as unknown as string, [field]: claim };
  const renewed = [compute({ [due]: fromNow(CLAIM_MS) })];
  const renew = async () => (await collection.updateOne(claimed as never, renewed)).matchedCount === 1;
  await keepLease({ ttlMs: CLAIM_MS, renew, signal }, (signal) => work(found as WithId<T>, claimed, signal));
  return true;
}

/** Stage: ends the work, to be done again at `at`; without one, at once where the filter still finds the document. */
export const dueAgain = (due: string, at: Document | string = '$$REMOVE'): Document =>
  compute({ [due]: at, [claimField(due)]: '$$REMOVE' });

const claimField = (due: string) => `${due}_claim`;
