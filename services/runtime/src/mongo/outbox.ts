import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { EventSchema } from '@parley/proto/events/v1/events_pb';
import type { Collection, Document } from 'mongodb';
import { type Bus, type BusMessage, deadMessage, deadTopic, MAX_MESSAGE_BYTES } from '../bus/bus.ts';
import { invalidArgument } from '../errors.ts';
import type { Log } from '../log.ts';
import { createLoop, type Loop } from '../loop.ts';
import { randomId } from '../rpc/ids.ts';
import { codeOf } from '../rpc/status.ts';
import { fromNow, passed } from './lease.ts';
import { compute, literal, set } from './write.ts';

/** The fact of a `parley.events.v1.Event`: `{ case: 'trainingQueued', value: { generation: 1 } }`. */
export type Fact = NonNullable<MessageInitShape<typeof EventSchema>['fact']> & { case: string };

interface OutboxEntry {
  id: string;
  seq: number;
  at: Date;
  fact: Fact;
}

/** The fields of a document that publishes facts. The relay publishes them from `outbox`. */
export interface WithOutbox {
  _id: string;
  account: string;
  seq?: number;
  outbox?: OutboxEntry[];
  outbox_due?: Date;
  /** The claim of the relay that holds the document until `outbox_due`. */
  outbox_claim?: string;
}

/** Leaves room for the rest of an event: ids, the account, the time. */
const MAX_FACT_BYTES = MAX_MESSAGE_BYTES - 2_000;

/**
 * Pipeline stages that add a fact to a write, so that the change and its event are atomic.
 *
 * @throws AppError `invalid_argument` if the event would be too large for the bus, before anything is written.
 */
export function outbox(fact: Fact): Document[] {
  const bytes = toBinary(EventSchema, create(EventSchema, { fact } as MessageInitShape<typeof EventSchema>)).length;
  if (bytes > MAX_FACT_BYTES)
    throw invalidArgument(`The event has ${bytes} bytes; it must have at most ${MAX_FACT_BYTES}.`);
  const entry = { id: literal(randomId()), seq: '$seq', at: '$$NOW', fact: literal(fact) };
  return [
    { $set: { seq: { $add: [{ $ifNull: ['$seq', 0] }, 1] } } },
    {
      $set: {
        outbox: { $concatArrays: [{ $ifNull: ['$outbox', []] }, [entry]] },
        // A relay that holds the document sets the next due time when it is done.
        outbox_due: { $ifNull: ['$outbox_due', '$$NOW'] },
      },
    },
  ];
}

/** The index that a relayed collection needs. */
export const OUTBOX_INDEX = {
  key: { outbox_due: 1 },
  partialFilterExpression: { outbox_due: { $exists: true } },
} as const;

const CLAIM_MS = 30_000;
const REST_MS = 1_000;
/** Documents relayed together, with the same number of writes as for a single one. */
const BATCH = 100;

/**
 * Publishes the facts in a collection's outboxes: in order, at least once, from any replica. A claim on a document lasts
 * 30 seconds; after that another relay takes over from one that died. An event that the bus refuses for good is published
 * to the dead topic with the reason, and the document's later events go on.
 */
export function createRelay<T extends Document & WithOutbox>(options: {
  collection: Collection<T>;
  bus: Pick<Bus, 'publish'>;
  topic: string;
  log: Log;
  /** The pause after a round that found nothing. Default: one second. */
  restMs?: number;
}): Loop {
  const { bus, topic, log, restMs = REST_MS } = options;
  const collection = options.collection as unknown as Collection<Document & WithOutbox>;

  async function relay(documents: readonly WithOutbox[]): Promise<void> {
    try {
      await bus.publish(topic, documents.flatMap(messages));
    } catch (error) {
      // Nothing was published. Find the document at fault, so that the others are published.
      if (codeOf(error) !== 'invalid_argument') throw error;
      if (documents.length > 1) {
        for (const document of documents) await relay([document]);
        return;
      }
      for (const message of documents.flatMap(messages)) await publishOrSetAside(message);
    }
    const published = documents.flatMap(({ outbox = [] }) => outbox.map(({ id }) => id));
    await collection.updateMany({ _id: { $in: documents.map(({ _id }) => _id) } }, release(published));
  }

  async function publishOrSetAside(message: BusMessage): Promise<void> {
    try {
      await bus.publish(topic, [message]);
    } catch (error) {
      if (codeOf(error) !== 'invalid_argument') throw error;
      await bus.publish(deadTopic(topic), [refused(message, error)]);
      log.error(
        { err: error, topic, document: message.key, message: message.id },
        'the bus refused an event; it was set aside',
      );
    }
  }

  async function round(): Promise<boolean> {
    const { due, claimed } = await claim(collection, BATCH);
    if (claimed.length > 0) await relay(claimed);
    // If another relay took part of the batch, more may be waiting.
    return due === BATCH || claimed.length < due;
  }

  return createLoop({ name: `relay of ${collection.collectionName}`, restMs, log, round });
}

/** Claims the first documents that are `due`, except those that another relay claims first. */
async function claim(collection: Collection<Document & WithOutbox>, limit: number) {
  const isDue = { outbox_due: { $exists: true }, ...passed('outbox_due') };
  const due = await collection.find(isDue, { sort: { outbox_due: 1 }, limit, projection: { _id: 1 } }).toArray();
  if (due.length === 0) return { due: 0, claimed: [] };
  const _id = { $in: due.map((document) => document._id) };
  const outbox_claim = randomId();
  await collection.updateMany({ _id, ...isDue }, [compute({ outbox_due: fromNow(CLAIM_MS) }), set({ outbox_claim })]);
  const claimed = await collection.find({ _id, outbox_claim }, { projection: { account: 1, outbox: 1 } }).toArray();
  return { due: due.length, claimed };
}

/** Removes exactly the published facts. Facts added meanwhile are due now. */
const release = (published: string[]): Document[] => [
  compute({
    outbox: { $filter: { input: '$outbox', cond: { $not: { $in: ['$$this.id', literal(published)] } } } },
    outbox_claim: '$$REMOVE',
  }),
  compute({ outbox_due: { $cond: [{ $eq: ['$outbox', []] }, '$$REMOVE', '$$NOW'] } }),
];

const messages = (document: WithOutbox): BusMessage[] =>
  (document.outbox ?? []).map((entry) => ({
    key: document._id,
    id: entry.id,
    value: toBinary(EventSchema, eventOf(document, entry)),
  }));

/** The dead message of an event that the bus refused, without its fact, which may be too large. */
function refused(message: BusMessage, reason: unknown): BusMessage {
  const envelope = { ...fromBinary(EventSchema, message.value), fact: { case: undefined } };
  return deadMessage({ ...message, value: toBinary(EventSchema, envelope) }, undefined, reason);
}

const eventOf = (document: WithOutbox, entry: OutboxEntry) =>
  create(EventSchema, {
    id: entry.id,
    accountId: document.account,
    entityId: document._id,
    seq: entry.seq,
    at: timestampFromDate(entry.at),
    fact: entry.fact,
  } as MessageInitShape<typeof EventSchema>);
