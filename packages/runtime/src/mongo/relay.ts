import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { EventSchema } from '@parley/proto/events/v1/events_pb';
import { type EventType, TOPIC_OF } from '@parley/proto/events/v1/topics';
import type { Collection, Document } from 'mongodb';
import { type Bus, type BusMessage, deadMessage, deadTopic } from '../bus/bus.ts';
import { randomId } from '../ids.ts';
import type { Log } from '../log.ts';
import { createLoop, type Loop } from '../loop.ts';
import { codeOf } from '../rpc/status.ts';
import type { Metrics, Waiting } from '../telemetry/metrics.ts';
import { beginSpan, headersOf, type TraceHeaders } from '../telemetry/tracing.ts';
import { isTransient } from '../transient.ts';
import { fromNow, passed } from './lease.ts';
import type { OutboxEntry, WithOutbox } from './outbox.ts';
import { compute, literal, set } from './write.ts';

const CLAIM_MS = 30_000;
const REST_MS = 1_000;
/** Documents claimed together. */
const BATCH = 100;
/** Events published, and then removed from their outboxes, together: the bus refuses calls that are too large. */
const SLICE = 500;
/** The pause before a document is tried again whose events could not be published; it doubles up to the longest. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 3_600_000;

/** An event and the document whose outbox it is in. */
interface Queued {
  document: WithOutbox;
  entry: OutboxEntry;
}

/**
 * Publishes the events in a collection's outboxes, each to its topic: in order, at least once, from any replica. A claim on a document lasts
 * 30 seconds; after that another relay takes over from one that died. An event that the bus refuses for good is published
 * to the dead topic with the reason, and the document's later events go on. A document that fails for any other reason
 * is tried again by itself, later each time, and holds up no other.
 */
export function createRelay<T extends Document & WithOutbox>(options: {
  collection: Collection<T>;
  bus: Pick<Bus, 'publish'>;
  log: Log;
  metrics?: Pick<Metrics, 'outbox'>;
  /** For events that have no topic of their own. */
  otherTopic?: string;
  /** The pause after a round that found nothing. Default: one second. */
  restMs?: number;
}): Loop {
  const { bus, log, metrics, otherTopic, restMs = REST_MS } = options;
  const collection = options.collection as unknown as Collection<Document & WithOutbox>;

  async function relay(documents: readonly WithOutbox[]): Promise<void> {
    try {
      await publishInSlices(documents, bus.publish);
    } catch (error) {
      if (mayPass(error)) throw error;
      for (const document of documents) await relayAlone(document);
    }
  }

  async function relayAlone(document: WithOutbox): Promise<void> {
    try {
      await publishInSlices([document], async (topic, messages) => {
        for (const message of messages) await publishOrDeadLetter(topic, message);
      });
    } catch (error) {
      if (mayPass(error)) throw error;
      log.error({ err: error, document: document._id }, 'the events of a document could not be published');
      await collection.updateOne({ _id: document._id }, postpone);
    }
  }

  async function publishInSlices(documents: readonly WithOutbox[], publish: Bus['publish']): Promise<void> {
    const queued = documents.flatMap((document) => (document.outbox ?? []).map((entry) => ({ document, entry })));
    for (let from = 0; from < queued.length || from === 0; from += SLICE) {
      const [slice, rest] = [queued.slice(from, from + SLICE), queued.slice(from + SLICE)];
      for (const [topic, messages] of byTopic(slice, otherTopic)) await publish(topic, messages);
      await release(documents, slice, rest);
    }
  }

  /** Removes what was published, ends the claims on documents that have nothing left, and renews the others. */
  async function release(documents: readonly WithOutbox[], published: readonly Queued[], rest: readonly Queued[]) {
    const left = new Set(rest.map(({ document }) => document._id));
    const ids = published.map(({ entry }) => entry.id);
    const done = documents.map(({ _id }) => _id).filter((_id) => !left.has(_id));
    if (left.size > 0) await collection.updateMany({ _id: { $in: [...left] } }, [without(ids), ...renewed]);
    await collection.updateMany({ _id: { $in: done } }, [without(ids), ...released]);
  }

  async function publishOrDeadLetter(topic: string, message: BusMessage): Promise<void> {
    try {
      await bus.publish(topic, [message]);
    } catch (error) {
      if (codeOf(error) !== 'invalid_argument') throw error;
      await bus.publish(deadTopic(topic), [refused(message, error)]);
      log.error(
        { err: error, topic, document: message.key, message: message.id },
        'the bus refused an event; it was dead-lettered',
      );
    }
  }

  async function round(): Promise<boolean> {
    const { due, claimed } = await claim(collection, BATCH);
    if (claimed.length > 0) await relay(claimed);
    // If another relay took part of the batch, more may be waiting.
    return due === BATCH || claimed.length < due;
  }

  metrics?.outbox(collection.namespace, () => waitingIn(collection));
  return createLoop({ name: `relay of ${collection.collectionName}`, restMs, log, round });
}

/** A relay for each of these collections. */
export const createRelays = (
  collections: readonly Pick<Collection, 'collectionName'>[],
  options: Omit<Parameters<typeof createRelay>[0], 'collection'>,
): Loop[] =>
  collections.map((collection) =>
    createRelay({ ...options, collection: collection as Collection<Document & WithOutbox> }),
  );

/** The events that wait in the first documents that are due. */
async function waitingIn(collection: Collection<Document & WithOutbox>): Promise<Waiting> {
  const [found] = await collection
    .aggregate<Waiting>([
      { $match: { outbox_due: { $exists: true } } },
      { $limit: MAX_COUNTED },
      {
        $group: {
          _id: null,
          depth: { $sum: { $size: { $ifNull: ['$outbox', []] } } },
          since: { $min: { $min: '$outbox.at' } },
        },
      },
      { $project: { _id: 0, depth: 1, oldestAge: AGE } },
    ])
    .toArray();
  return { depth: found?.depth ?? 0, oldestAge: found?.oldestAge ?? 0 };
}

/** Documents counted for a metric: a longer queue is as alarming. */
const MAX_COUNTED = 10_000;
const AGE = { $max: [0, { $ifNull: [{ $divide: [{ $subtract: ['$$NOW', '$since'] }, 1_000] }, 0] }] };

/** Returns whether the bus or the database is at fault, not what is published. */
const mayPass = (error: unknown): boolean => isTransient(error) || codeOf(error) === 'resource_exhausted';

/** Claims the first documents that are `due`, except those that another relay claims first. */
async function claim(collection: Collection<Document & WithOutbox>, limit: number) {
  const isDue = { outbox_due: { $exists: true }, ...passed('outbox_due') };
  const due = await collection.find(isDue, { sort: { outbox_due: 1 }, limit, projection: { _id: 1 } }).toArray();
  if (due.length === 0) return { due: 0, claimed: [] };
  const _id = { $in: due.map((document) => document._id) };
  const outbox_claim = randomId();
  await collection.updateMany({ _id, ...isDue }, [...renewed, set({ outbox_claim })]);
  const claimed = await collection.find({ _id, outbox_claim }, { projection: { account: 1, outbox: 1 } }).toArray();
  return { due: due.length, claimed };
}

const renewed = [compute({ outbox_due: fromNow(CLAIM_MS) })];

/** Removes exactly the published events. */
const without = (published: string[]): Document =>
  compute({ outbox: { $filter: { input: '$outbox', cond: { $not: { $in: ['$$this.id', literal(published)] } } } } });

/** Events added meanwhile are due now. */
const released = [
  compute({
    outbox_claim: '$$REMOVE',
    outbox_attempts: '$$REMOVE',
    outbox_due: { $cond: [{ $eq: ['$outbox', []] }, '$$REMOVE', '$$NOW'] },
  }),
];

const attempts = { $ifNull: ['$outbox_attempts', 0] };
/** No power beyond that of the longest pause, or it would overflow. */
const pauseMs = {
  $min: [LONGEST_PAUSE_MS, { $multiply: [FIRST_PAUSE_MS, { $pow: [2, { $min: [attempts, 20] }] }] }],
};
const postpone = [
  compute({
    outbox_claim: '$$REMOVE',
    outbox_attempts: { $add: [attempts, 1] },
    outbox_due: { $add: ['$$NOW', pauseMs] },
  }),
];

/** Each event has its topic. Those of one document keep their order within a topic. */
function byTopic(queued: readonly Queued[], others: string | undefined): [topic: string, BusMessage[]][] {
  const topicOf: Partial<Record<EventType, string>> = TOPIC_OF;
  const groups = Map.groupBy(queued, ({ entry }) => topicOf[entry.payload.case] ?? others!);
  return [...groups].map(([topic, events]) => [topic, events.map(messageOf)]);
}

function messageOf({ document, entry }: Queued): BusMessage {
  const value = toBinary(EventSchema, eventOf(document, entry));
  return { key: document._id, id: entry.id, value, ...(entry.trace && { headers: { ...waited(entry) } }) };
}

/** Ends the span of an event's time in its outbox. Returns the headers for what follows it. */
function waited({ at, payload, trace }: OutboxEntry): TraceHeaders {
  const span = beginSpan(`outbox ${payload.case}`, { kind: 'producer', from: headersOf(trace), startedAt: at });
  span.end();
  return span.headers;
}

/** The dead message of an event that the bus refused, without its event, which may be too large. */
function refused(message: BusMessage, reason: unknown): BusMessage {
  const envelope = { ...fromBinary(EventSchema, message.value), payload: { case: undefined } };
  return deadMessage({ ...message, value: toBinary(EventSchema, envelope) }, undefined, reason);
}

const eventOf = (document: WithOutbox, entry: OutboxEntry) =>
  create(EventSchema, {
    id: entry.id,
    accountId: document.account,
    entityId: document._id,
    seq: entry.seq,
    at: timestampFromDate(entry.at),
    payload: entry.payload,
  } as MessageInitShape<typeof EventSchema>);
