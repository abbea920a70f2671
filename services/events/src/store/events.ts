import { invalidArgument, unavailable } from '@parley/runtime';
import { compute, deletePart, isDuplicate, literal } from '@parley/runtime/mongo';
import type { Collection, Db, MongoBulkWriteError } from 'mongodb';
import type { EventRecord, NewEvent } from '../domain/event.ts';

/** How long an event is kept. */
export const KEPT_SECONDS = 7 * 24 * 3_600;

/** The part of an account's log that outlives its events. */
interface FeedDoc {
  /** The account. */
  _id: string;
  account: string;
  /** The highest number, at least of what has expired. */
  last: number;
}

export interface ReadRequest {
  /** The position: events with higher numbers are read. */
  after: number;
  /** All if empty. */
  types: readonly string[];
  limit: number;
}

export interface EventPage {
  items: EventRecord[];
  hasMore: boolean;
  /** Where to go on from, also if there are no items. */
  position: number;
}

export interface EventStore {
  /** Numbers events and adds them to the log of their account, in this order, except those that it has already. */
  append(account: string, events: readonly NewEvent[]): Promise<void>;
  /** Reads on from a position, oldest first. INVALID_ARGUMENT: the account has no such position. */
  read(account: string, request: ReadRequest): Promise<EventPage>;
  /** The position after the newest event. */
  last(account: string): Promise<number>;
  /** How many events are kept of these types; of all if empty. Counts no further than `COUNTED` if there are types. */
  count(account: string, types: readonly string[]): Promise<number>;
}

/** Must not fail for good, or the events would come again and again. */
type Appended = (account: string, last: number, events: readonly NewEvent[]) => Promise<void>;

export const COUNTED = 10_000;
/** Attempts at the next number before the bus has to deliver again. */
const TRIES = 20;
/** Each time the numbers have gone on by so many, the oldest events beyond the limit are deleted. */
const TRIM_EVERY = 500;
/** More than that, so that it also gets down to a limit that was lowered. */
const TRIM_AT_ONCE = 5_000;

export const eventCollection = (db: Db): Collection<EventRecord> => db.collection('events');
export const feedCollection = (db: Db): Collection<FeedDoc> => db.collection('feeds');

/**
 * The logs of accounts. Numbers have no gaps, and none is given behind a reader's back: an event is inserted with the number
 * after the highest, and the unique index lets only one writer have it. Whoever comes second reads anew, and tries the next.
 *
 * @param kept the most events of an account that are kept
 * @param appended told, before they are acknowledged, of events that are in the log up to a number, if not for the first time
 */
export function eventStore(db: Db, kept: number, appended: Appended = async () => {}): EventStore {
  const events = eventCollection(db);
  const feeds = feedCollection(db);
  const newest = [{ $sort: { seq: -1 } }, { $limit: 1 }, { $project: { seq: 1 } }];

  /** The highest number, and the database's time. */
  async function head(account: string): Promise<{ last: number; now: Date }> {
    const [found] = await db
      .aggregate<{ now: Date; newest: { seq: number }[]; feed: { last: number }[] }>([
        { $documents: [{ now: '$$NOW' }] },
        { $lookup: { from: 'events', pipeline: [{ $match: { account } }, ...newest], as: 'newest' } },
        { $lookup: { from: 'feeds', pipeline: [{ $match: { _id: account, account } }], as: 'feed' } },
      ])
      .toArray();
    return { last: Math.max(found!.newest[0]?.seq ?? 0, found!.feed[0]?.last ?? 0), now: found!.now };
  }

  /** Returns those that remain, because another writer was faster, and the highest number that was written or found. */
  async function insert(account: string, waiting: readonly NewEvent[]) {
    const { last, now } = await head(account);
    const records = waiting.map((event, i) => ({ ...event, account, seq: last + 1 + i, stored_at: now }));
    try {
      await events.insertMany(records, { ordered: true });
      return { left: [], last: last + records.length };
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      const { insertedCount } = error as MongoBulkWriteError;
      // Either it is there already, or another writer has its number.
      const { _id } = records[insertedCount]!;
      const isKnown = (await events.findOne({ _id, account }, { projection: { _id: 1 } })) !== null;
      return { left: waiting.slice(insertedCount + (isKnown ? 1 : 0)), last: last + insertedCount };
    }
  }

  /** Before the caller acknowledges: the events may expire before there are others. */
  async function remember(account: string, last: number): Promise<void> {
    const highest = compute({ account: literal(account), last: { $max: ['$last', last] } });
    await feeds.updateOne({ _id: account }, [highest], { upsert: true });
  }

  async function trim(account: string, from: number, last: number): Promise<void> {
    if (Math.floor(from / TRIM_EVERY) === Math.floor(last / TRIM_EVERY) || last <= kept) return;
    await deletePart(events, { account, seq: { $lte: last - kept } }, TRIM_AT_ONCE);
  }

  async function append(account: string, added: readonly NewEvent[]): Promise<void> {
    let waiting = added;
    for (let tries = 0; waiting.length > 0; tries++) {
      if (tries === TRIES + added.length) throw unavailable('Too many events of the account are being numbered.');
      const { left, last } = await insert(account, waiting);
      await remember(account, last);
      await trim(account, last - (waiting.length - left.length), last);
      if (left.length === 0) await appended(account, last, added);
      waiting = left;
    }
  }

  return {
    append: oneBatchAtATime(append),

    async read(account, { after, types, limit }) {
      const { last } = await head(account);
      if (after > last) throw invalidArgument('The account has no event with that number.');
      const filter = { account, seq: { $gt: after, $lte: last }, ...(types.length > 0 && { type: { $in: types } }) };
      const found = await events.find(filter as object, { sort: { seq: 1 }, limit: limit + 1 }).toArray();
      const items = found.slice(0, limit);
      const hasMore = found.length > limit;
      return { items, hasMore, position: hasMore ? items.at(-1)!.seq : last };
    },

    last: async (account) => (await head(account)).last,

    async count(account, types) {
      if (types.length > 0)
        return events.countDocuments({ account, type: { $in: types } } as object, { limit: COUNTED });
      const [oldest, { last }] = await Promise.all([
        events.findOne({ account }, { sort: { seq: 1 }, projection: { seq: 1 } }),
        head(account),
      ]);
      return oldest ? last - oldest.seq + 1 : 0;
    },
  };
}

type Append = EventStore['append'];

/**
 * Writes one batch of an account at a time. What comes meanwhile goes into its next one, so that callers share the cost of a write,
 * and none of them takes a number from another.
 */
function oneBatchAtATime(write: Append): Append {
  const running = new Map<string, Promise<void>>();
  const next = new Map<string, { events: NewEvent[]; written: Promise<void> }>();

  function begin(account: string, events: NewEvent[]): Promise<void> {
    const before = running.get(account)?.catch(() => {});
    const written = Promise.resolve(before).then(() => {
      if (before) next.delete(account);
      return write(account, events);
    });
    running.set(account, written);
    const end = () => running.get(account) === written && running.delete(account);
    written.then(end, end);
    if (before) next.set(account, { events, written });
    return written;
  }

  return (account, added) => {
    const waiting = next.get(account);
    if (!waiting) return begin(account, [...added]);
    waiting.events.push(...added);
    return waiting.written;
  };
}
