import { deriveId } from '@parley/runtime';
import { compute, deleteInParts, literal, type Page, type PageRequest, page, set } from '@parley/runtime/mongo';
import type { Collection, Db, Document } from 'mongodb';

/** The outcome of an attempt. */
export interface Outcome {
  /** Status of the response; null if there was none. */
  status: number | null;
  ms: number;
  /** Why it failed, in a sentence; null if it did not. */
  reason: string | null;
}

export const DELIVERY_STATES = ['delivered', 'retrying', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** An event, and what became of its last attempt at an endpoint. */
export interface DeliveryDoc extends Outcome {
  _id: string;
  account: string;
  webhook: string;
  event: string;
  type: string;
  state: DeliveryState;
  attempts: number;
  /** When it is tried again, if it is. */
  next_at: Date | null;
  created_at: Date;
  attempted_at: Date;
}

export interface Attempt extends Outcome {
  event: { _id: string; type: string };
  state: DeliveryState;
  next_at: Date | null;
}

/** How long deliveries are kept: as long as their events, so that each can be made again. */
export const DELIVERIES_KEPT_SECONDS = 7 * 24 * 3_600;
/** Deliveries to an endpoint that are kept, and how many more there are, more or less, before the oldest are removed. */
const DELIVERIES_KEPT = 5_000;
const CUT_EVERY = 1_000;

export const deliveryCollection = (db: Db): Collection<DeliveryDoc> => db.collection('webhook_deliveries');

export type DeliveryStore = ReturnType<typeof deliveryStore>;

/** The record of deliveries, for owners: nothing depends on it. */
export function deliveryStore(db: Db, kept = DELIVERIES_KEPT) {
  const deliveries = deliveryCollection(db);

  return {
    /** Records attempts. Returns how many deliveries were added. */
    async record(account: string, webhook: string, attempts: readonly Attempt[]): Promise<number> {
      if (attempts.length === 0) return 0;
      const operations = attempts.map(({ event, ...attempt }) => ({
        updateOne: {
          filter: { _id: deliveryId(webhook, event._id), account },
          update: [
            set({ webhook, event: event._id, type: event.type, ...attempt }),
            compute({
              attempts: { $add: [{ $ifNull: ['$attempts', 0] }, 1] },
              created_at: { $ifNull: ['$created_at', '$$NOW'] },
              attempted_at: '$$NOW',
            }),
          ] as Document[],
          upsert: true,
        },
      }));
      return (await deliveries.bulkWrite(operations, { ordered: true })).upsertedCount;
    },

    find: (account: string, webhook: string, id: string): Promise<DeliveryDoc | null> =>
      deliveries.findOne({ _id: id, account, webhook }),

    /** The delivery of an event to an endpoint. */
    ofEvent: (account: string, webhook: string, event: string): Promise<DeliveryDoc | null> =>
      deliveries.findOne({ _id: deliveryId(webhook, event), account }),

    list: (
      account: string,
      webhook: string,
      states: readonly DeliveryState[],
      request: PageRequest,
    ): Promise<Page<DeliveryDoc>> =>
      page(deliveries, { account, webhook, ...(states.length > 0 && { state: { $in: [...states] } }) }, request),

    /** Nothing of what waited is tried again. */
    async giveUp(account: string, webhook: string): Promise<void> {
      const given = [compute({ state: literal('failed'), next_at: literal(null) })];
      await deliveries.updateMany({ account, webhook, state: 'retrying' }, given);
    },

    /** Removes the oldest deliveries beyond those that are kept, each time that about a thousand were added. */
    async cut(account: string, webhook: string, added: number): Promise<void> {
      if (added <= Math.random() * CUT_EVERY) return;
      const newest = { created_at: -1, _id: -1 } as const;
      const last = await deliveries.findOne(
        { account, webhook },
        { sort: newest, skip: kept, projection: { created_at: 1 } },
      );
      if (last) await deleteInParts(deliveries, { account, webhook, created_at: { $lte: last.created_at } });
    },

    /** Removes all of a webhook. */
    drop: (account: string, webhook: string): Promise<void> => deleteInParts(deliveries, { account, webhook }),
  };
}

const deliveryId = (webhook: string, event: string): string => deriveId('delivery', webhook, event);
