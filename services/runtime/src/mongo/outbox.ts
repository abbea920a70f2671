import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { EventSchema } from '@parley/proto/events/v1/events_pb';
import type { Collection, Document } from 'mongodb';
import type { Bus, BusMessage } from '../bus/bus.ts';
import type { Log } from '../log.ts';
import { createLoop, type Loop } from '../loop.ts';
import { randomId } from '../rpc/ids.ts';
import { codeOf } from '../rpc/status.ts';
import { fromNow, passed } from './lease.ts';
import { compute, literal, set } from './write.ts';

/** What happened, as `parley.events.v1.Event` has it: `{ case: 'trainingQueued', value: { generation: 1 } }`. */
export type Fact = NonNullable<MessageInitShape<typeof EventSchema>['fact']> & { case: string };

interface OutboxEntry {
  id: string;
  seq: number;
  at: Date;
  fact: Fact;
}

/** The fields of a document whose changes are facts. The relay takes them from `outbox` to the bus. */
export interface WithOutbox {
  _id: string;
  account: string;
  seq?: number;
  outbox?: OutboxEntry[];
  outbox_due?: Date;
  /** Of the relay that holds the document until `outbox_due`. */
  outbox_claim?: string;
}

/** Pipeline stages that add a fact to the write they belong to: the change and its event are one. */
export function outbox(fact: Fact): Document[] {
  const entry = { id: literal(randomId()), seq: '$seq', at: '$$NOW', fact: literal(fact) };
  return [
    { $set: { seq: { $add: [{ $ifNull: ['$seq', 0] }, 1] } } },
    {
      $set: {
        outbox: { $concatArrays: [{ $ifNull: ['$outbox', []] }, [entry]] },
        // A relay that holds the document sets the next due time itself when it is done.
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
/** Documents that are relayed together: one by one, each would cost as many writes as all of them. */
const BATCH = 100;

/**
 * Takes facts from the outboxes of a collection to the bus: in order, at least once, by any replica. Documents are
 * claimed for 30 seconds; a relay that dies leaves them to the next one.
 */
export function createRelay<T extends Document & WithOutbox>(options: {
  collection: Collection<T>;
  bus: Pick<Bus, 'publish'>;
  topic: string;
  log: Log;
}): Loop {
  const { bus, topic, log } = options;
  const collection = options.collection as unknown as Collection<Document & WithOutbox>;

  async function relay(documents: readonly WithOutbox[]): Promise<void> {
    try {
      await bus.publish(topic, documents.flatMap(messages));
    } catch (error) {
      // The bus has taken nothing. What it refuses of one document is no matter of the others.
      if (codeOf(error) !== 'invalid_argument') throw error;
      if (documents.length > 1) for (const document of documents) await relay([document]);
      else log.error({ err: error, document: documents[0]?._id }, 'the bus refuses an event; it is tried again');
      return;
    }
    const published = documents.flatMap(({ outbox = [] }) => outbox.map(({ id }) => id));
    await collection.updateMany({ _id: { $in: documents.map(({ _id }) => _id) } }, release(published));
  }

  async function round(): Promise<boolean> {
    const claimed = await claim(collection, BATCH);
    if (claimed.length > 0) await relay(claimed);
    return claimed.length === BATCH;
  }

  return createLoop({ name: `relay of ${collection.collectionName}`, restMs: REST_MS, log, round });
}

/** Of the documents that are due the first, less those that another relay was faster to claim. */
async function claim(collection: Collection<Document & WithOutbox>, limit: number) {
  const isDue = { outbox_due: { $exists: true }, ...passed('outbox_due') };
  const due = await collection.find(isDue, { sort: { outbox_due: 1 }, limit, projection: { _id: 1 } }).toArray();
  if (due.length === 0) return [];
  const _id = { $in: due.map((document) => document._id) };
  const outbox_claim = randomId();
  await collection.updateMany({ _id, ...isDue }, [compute({ outbox_due: fromNow(CLAIM_MS) }), set({ outbox_claim })]);
  return collection.find({ _id, outbox_claim }, { projection: { account: 1, outbox: 1 } }).toArray();
}

/** Removes exactly what was published; what came meanwhile is due now. */
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

const eventOf = (document: WithOutbox, entry: OutboxEntry) =>
  create(EventSchema, {
    id: entry.id,
    accountId: document.account,
    entityId: document._id,
    seq: entry.seq,
    at: timestampFromDate(entry.at),
    fact: entry.fact,
  } as MessageInitShape<typeof EventSchema>);
