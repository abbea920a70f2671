import { createHash } from 'node:crypto';
import { Binary, type Collection, type Db, MongoBulkWriteError, Timestamp } from 'mongodb';
import { aborted } from '../../errors.ts';
import { isDuplicate } from '../../mongo/errors.ts';
import type { Migration } from '../../mongo/migrations.ts';
import type { BusMessage, Received } from '../bus.ts';

/** Partitions of a topic. A key is always in the same partition; a group works on its partitions independently. */
export const PARTITIONS = 4;

/** A message as stored. `seq` counts the messages of a topic; `at` is the database's clock. */
export interface LoggedMessage {
  topic: string;
  seq: number;
  partition: number;
  key: string;
  id: string;
  value: Binary;
  headers: Record<string, string>;
  at: Timestamp;
}

export const BUS_MIGRATIONS: Migration[] = [
  {
    number: 1,
    name: 'messages of the bus, by topic and partition',
    beside: '0.1.0',
    async run(db) {
      await messagesOf(db).createIndexes([
        { key: { topic: 1, seq: 1 }, unique: true },
        { key: { topic: 1, partition: 1, seq: 1 } },
      ]);
    },
  },
  {
    number: 2,
    name: 'positions of groups, by topic and partition',
    beside: '0.1.0',
    async run(db) {
      await db.collection('offsets').createIndex({ topic: 1, partition: 1, offset: 1 });
    },
  },
];

export const messagesOf = (db: Db): Collection<LoggedMessage> => db.collection<LoggedMessage>('messages');

/** Bounds the time of a scrape, however far behind a group is. */
const MAX_COUNTED = 100_000;
const APPEND_TRIES = 1_000;

/**
 * Appends messages to a topic, in order. Resolves to the number of the last one.
 *
 * The next number is one more than the highest that can be read, and the unique index grants it to one writer. So a
 * number is taken only once its predecessor is visible: a reader that follows the numbers skips nothing, whatever
 * writers run or die meanwhile. (A counter would hand out numbers that become visible after higher ones.)
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
  partition: partitionOf(key),
  key,
  id,
  value: new Binary(value),
  headers,
  // The server replaces an empty timestamp with its own clock.
  at: new Timestamp({ t: 0, i: 0 }),
});

const partitionOf = (key: string) => createHash('sha256').update(key).digest()[0]! % PARTITIONS;

/** The highest number of a topic; 0 if nothing was ever published. */
export async function lastSeq(messages: Collection<LoggedMessage>, topic: string): Promise<number> {
  const last = await messages.findOne({ topic }, { sort: { seq: -1 }, projection: { _id: 0, seq: 1 } });
  return last?.seq ?? 0;
}

/** The next messages of a partition, at most `limit`. */
export const readPartition = (
  messages: Collection<LoggedMessage>,
  partition: { topic: string; partition: number },
  after: number,
  limit: number,
): Promise<LoggedMessage[]> =>
  messages
    .find({ topic: partition.topic, partition: partition.partition, seq: { $gt: after } }, { sort: { seq: 1 }, limit })
    .toArray();

/** How many messages of a partition come after a position; counts no further than `MAX_COUNTED`. */
export const countAfter = (
  messages: Collection<LoggedMessage>,
  partition: { topic: string; partition: number },
  after: number,
): Promise<number> =>
  messages.countDocuments(
    { topic: partition.topic, partition: partition.partition, seq: { $gt: after } },
    { limit: MAX_COUNTED },
  );

/**
 * Deletes the messages of a partition up to a position that are older than `ms`, at most `limit` of them. Resolves to how
 * many. The topic's last message stays: the topic continues from its number.
 *
 * Reads in order, and no further than the first message that is too young. So the index of partitions is all it needs, and
 * messages that are kept cost nothing. (If the database's clock was set back, messages go a little later.)
 */
export async function deleteUpTo(
  messages: Collection<LoggedMessage>,
  partition: { topic: string; partition: number },
  place: number,
  ms: number,
  limit: number,
): Promise<number> {
  const inPartition = { topic: partition.topic, partition: partition.partition };
  const upTo = Math.min(place, (await lastSeq(messages, partition.topic)) - 1);
  const oldest = await messages
    .aggregate<{ seq: number; old: boolean }>([
      { $match: { ...inPartition, seq: { $lte: upTo } } },
      { $sort: { seq: 1 } },
      { $limit: limit },
      { $project: { _id: 0, seq: 1, old: { $lt: [{ $toDate: '$at' }, { $subtract: ['$$NOW', ms] }] } } },
    ])
    .toArray();
  const young = oldest.findIndex(({ old }) => !old);
  const last = oldest.at(young === -1 ? -1 : young - 1);
  if (young === 0 || !last) return 0;
  const { deletedCount } = await messages.deleteMany({ ...inPartition, seq: { $lte: last.seq } });
  return deletedCount;
}

export const toReceived = ({ key, id, value, headers }: LoggedMessage, attempt: number): Received => ({
  key,
  id,
  value: value.value(),
  headers,
  attempt,
});
