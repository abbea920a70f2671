import { createHash } from 'node:crypto';
import { Binary, type Collection, type Db, MongoBulkWriteError, Timestamp } from 'mongodb';
import { aborted } from '../errors.ts';
import { isDuplicate } from '../mongo/errors.ts';
import type { Migration } from '../mongo/migrations.ts';
import type { BusMessage } from './bus.ts';

/** A topic has so many lanes. A key is always in the same lane; a group works on its lanes independently. */
export const LANES = 4;

/** A message as it is stored. `seq` counts the messages of a topic; `at` is the database's clock. */
export interface LoggedMessage {
  topic: string;
  seq: number;
  lane: number;
  key: string;
  id: string;
  value: Binary;
  headers: Record<string, string>;
  at: Timestamp;
}

export const BUS_MIGRATIONS: Migration[] = [
  {
    number: 1,
    name: 'messages of the bus, by topic and lane',
    async run(db) {
      await messagesOf(db).createIndexes([
        { key: { topic: 1, seq: 1 }, unique: true },
        { key: { topic: 1, lane: 1, seq: 1 } },
      ]);
    },
  },
];

export const messagesOf = (db: Db): Collection<LoggedMessage> => db.collection<LoggedMessage>('messages');

const APPEND_TRIES = 1_000;

/**
 * Appends messages to a topic, in order; resolves with the number of the last one.
 *
 * The next number is one more than the highest that can be read, and the unique index gives it to one writer. So a
 * number is taken only when the one before it is visible: a reader that goes by numbers skips nothing, whatever writers
 * run or die beside it. (A counter would hand out numbers that become visible later than higher ones.)
 */
export async function append(messages: Collection<LoggedMessage>, topic: string, batch: BusMessage[]): Promise<number> {
  let rest = batch;
  for (let tries = 0; tries < APPEND_TRIES; tries++) {
    const last = await lastSeq(messages, topic);
    const written = await insertFrom(messages, topic, last + 1, rest);
    if (written === rest.length) return last + written;
    rest = rest.slice(written);
  }
  throw aborted(`Too many writers append to ${topic}.`);
}

/** How many of the messages were written before another writer took the next number. */
async function insertFrom(messages: Collection<LoggedMessage>, topic: string, first: number, batch: BusMessage[]) {
  const documents = batch.map((message, i) => ({ ...logged(message), topic, seq: first + i }));
  try {
    await messages.insertMany(documents, { ordered: true });
    return batch.length;
  } catch (error) {
    if (error instanceof MongoBulkWriteError && isDuplicate(error)) return error.insertedCount;
    throw error;
  }
}

const logged = ({ key, id, value, headers = {} }: BusMessage) => ({
  lane: laneOf(key),
  key,
  id,
  value: new Binary(value),
  headers,
  // The server puts its own clock in the place of an empty timestamp.
  at: new Timestamp({ t: 0, i: 0 }),
});

const laneOf = (key: string) => createHash('sha256').update(key).digest()[0]! % LANES;

/** The highest number of a topic; 0 where nothing was ever published. */
export async function lastSeq(messages: Collection<LoggedMessage>, topic: string): Promise<number> {
  const last = await messages.findOne({ topic }, { sort: { seq: -1 }, projection: { _id: 0, seq: 1 } });
  return last?.seq ?? 0;
}

/** The next messages of a lane, at most `limit`. */
export const readLane = (
  messages: Collection<LoggedMessage>,
  lane: { topic: string; lane: number },
  after: number,
  limit: number,
): Promise<LoggedMessage[]> =>
  messages.find({ topic: lane.topic, lane: lane.lane, seq: { $gt: after } }, { sort: { seq: 1 }, limit }).toArray();

/** Age in seconds of the oldest message after a place in its lane; 0 where there is none. */
export async function ageAfter(
  messages: Collection<LoggedMessage>,
  lane: { topic: string; lane: number },
  after: number,
): Promise<number> {
  const [oldest] = await messages
    .aggregate<{ ms: number }>([
      { $match: { topic: lane.topic, lane: lane.lane, seq: { $gt: after } } },
      { $sort: { seq: 1 } },
      { $limit: 1 },
      { $project: { _id: 0, ms: { $subtract: ['$$NOW', { $toDate: '$at' }] } } },
    ])
    .toArray();
  return oldest ? Math.max(0, oldest.ms / 1000) : 0;
}

/**
 * Deletes the messages of a lane up to a place that are older than `ms`. The topic's last one stays: it carries the
 * number from which the topic goes on.
 */
export async function deleteUpTo(
  messages: Collection<LoggedMessage>,
  lane: { topic: string; lane: number },
  place: number,
  ms: number,
): Promise<void> {
  const old = { $expr: { $lt: [{ $toDate: '$at' }, { $subtract: ['$$NOW', ms] }] } };
  const last = await lastSeq(messages, lane.topic);
  const upTo = Math.min(place, last - 1);
  await messages.deleteMany({ topic: lane.topic, lane: lane.lane, seq: { $lte: upTo }, ...old });
}
