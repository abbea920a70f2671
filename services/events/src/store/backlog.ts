import type { Db, Document, Filter } from 'mongodb';
import type { EventRecord } from '../domain/event.ts';
import { eventCollection } from './events.ts';

/** A part of an account's log. Types: all if empty. */
export interface Range {
  /** The first number. */
  from: number;
  /** The last number. */
  to: number;
  types: readonly string[];
  limit: number;
}

export type Backlog = ReturnType<typeof backlogStore>;

/** Reads the log of events for deliveries, oldest first. */
export function backlogStore(db: Db) {
  const events = eventCollection(db);
  const read = (account: string, { from, to, types, limit }: Range, more: Document = {}): Promise<EventRecord[]> => {
    const ofTypes = types.length > 0 && { type: { $in: types } };
    const filter = { account, ...more, ...ofTypes, seq: { $gte: from, $lte: to } };
    return events.find(filter as Filter<EventRecord>, { sort: { seq: 1 }, limit }).toArray();
  };

  return {
    read: (account: string, range: Range) => read(account, range),

    ofResource: (account: string, resource: string, range: Range) => read(account, range, { resource }),

    find: (account: string, id: string): Promise<EventRecord | null> => events.findOne({ _id: id, account }),

    /** The number of the first event that was stored at a time or later; undefined if there is none. */
    async firstSince(account: string, time: Date): Promise<number | undefined> {
      const order = { sort: { stored_at: 1, seq: 1 }, projection: { seq: 1 } } as const;
      return (await events.findOne({ account, stored_at: { $gte: time } }, order))?.seq;
    },
  };
}
