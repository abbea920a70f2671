import type { Waiting } from '@parley/runtime';
import { type Claimed, compute, fromNow, LIVE, passed, set, workOnDue } from '@parley/runtime/mongo';
import type { Collection, Filter } from 'mongodb';
import type { StoredProgress, Timing } from '../domain/progress.ts';
import { ALL_EVENTS } from '../domain/webhook.ts';
import { DUE, type WebhookDoc } from './webhooks.ts';

/** When an endpoint is due again. */
export interface Pauses {
  /** If there are events beyond the position; absent: they wait for the others. */
  readMs: number | undefined;
  /** For those that are held; absent: none are. */
  heldMs: number | undefined;
}

/** Endpoints, for a metric. */
const MAX_COUNTED = 10_000;

type Work = (webhook: WebhookDoc, claimed: Claimed, signal: AbortSignal) => Promise<void>;

export type Queue = ReturnType<typeof deliveryQueue>;

/**
 * The endpoints that something is to be delivered to: each is worked on by one process at a time. What is to be delivered is in
 * the log of events, and how far that has got is in the webhook, so that nothing grows with what waits.
 */
export function deliveryQueue(webhooks: Collection<WebhookDoc>, { breakAfter }: Pick<Timing, 'breakAfter'>) {
  const isClaimed = { $ne: [{ $type: '$due_claim' }, 'missing'] };
  const isDown = { $gte: ['$failures', breakAfter] };
  const isWaiting = { $and: [{ $ne: [{ $type: '$due' }, 'missing'] }, { $or: [isClaimed, isDown] }] };

  const held = (account: string, claimed: Claimed): Filter<WebhookDoc> =>
    ({ ...claimed, account, ...LIVE, enabled: true }) as Filter<WebhookDoc>;

  return {
    /**
     * Makes the endpoints due that subscribe to events of the log up to a number. One that is down waits for its next probe.
     *
     * @param types of these events; absent: any
     */
    async notify(account: string, last: number, types?: readonly string[]): Promise<void> {
      const subscribed: Filter<WebhookDoc> = {
        ...{ account, ...LIVE, enabled: true, head: { $lt: last } },
        ...(types && { events: { $in: [ALL_EVENTS, ...types] } }),
      };
      const head = { $max: ['$head', last] };
      await webhooks.updateMany(subscribed, [compute({ head, due: { $cond: [isWaiting, '$due', '$$NOW'] } })]);
    },

    /**
     * Works on the endpoint that has been due longest. Returns whether there was one. Takes no account: this is how a worker
     * finds its work.
     *
     * @param except accounts whose endpoints are left alone
     */
    workOnNext: (except: readonly string[], signal: AbortSignal, work: Work): Promise<boolean> => {
      const filter = { [DUE]: { $exists: true }, ...LIVE, enabled: true, account: { $nin: except } };
      return workOnDue({ collection: webhooks, due: DUE, filter, signal }, work);
    },

    /** Stores how far it has got. Returns the webhook as it is now; null if it is not the claim's any more. */
    save: (account: string, claimed: Claimed, progress: StoredProgress): Promise<WebhookDoc | null> =>
      webhooks.findOneAndUpdate(held(account, claimed), [set(progress)], { returnDocument: 'after' }),

    /** The same, and ends the claim. */
    async release(
      account: string,
      claimed: Claimed,
      progress: StoredProgress,
      { readMs, heldMs }: Pauses,
    ): Promise<void> {
      const rest = heldMs === undefined ? '$$REMOVE' : fromNow(heldMs);
      const sooner = readMs !== undefined && fromNow(Math.min(readMs, heldMs ?? Infinity));
      const due = sooner ? { $cond: [{ $gt: ['$head', '$position'] }, sooner, rest] } : rest;
      const free = compute({ [DUE]: due, due_claim: '$$REMOVE' });
      await webhooks.updateOne(held(account, claimed), [set(progress), free]);
    },

    /** How many endpoints are due, as far as they are counted, and for how many seconds the first has been. */
    async waiting(): Promise<Waiting> {
      const [due] = await webhooks
        .aggregate<Waiting>([
          { $match: { [DUE]: { $exists: true }, ...passed(DUE) } },
          { $sort: { [DUE]: 1 } },
          { $limit: MAX_COUNTED },
          { $group: { _id: null, depth: { $sum: 1 }, since: { $min: `$${DUE}` } } },
          { $project: { _id: 0, depth: 1, oldestAge: { $divide: [{ $subtract: ['$$NOW', '$since'] }, 1_000] } } },
        ])
        .toArray();
      return due ?? { depth: 0, oldestAge: 0 };
    },
  };
}
