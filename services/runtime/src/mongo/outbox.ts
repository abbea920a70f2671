import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { EventSchema } from '@parley/proto/events/v1/events_pb';
import type { Collection, Document } from 'mongodb';
import type { Bus, BusMessage } from '../bus/bus.ts';
import type { Log } from '../log.ts';
import { createLoop, type Loop } from '../loop.ts';
import { randomId } from '../rpc/ids.ts';
import { fromNow, passed } from './lease.ts';
import { literal } from './write.ts';

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

/**
 * Takes facts from the outboxes of a collection to the bus: in order, at least once, by any replica. A document is
 * claimed for 30 seconds; a relay that dies leaves it to the next one.
 */
export function createRelay<T extends Document & WithOutbox>(options: {
  collection: Collection<T>;
  bus: Pick<Bus, 'publish'>;
  topic: string;
  log: Log;
}): Loop {
  const { bus, topic, log } = options;
  const collection = options.collection as unknown as Collection<Document & WithOutbox>;
  const due = { outbox_due: { $exists: true }, ...passed('outbox_due') };

  async function relayOne(): Promise<boolean> {
    const claimed = await collection.findOneAndUpdate(due, [{ $set: { outbox_due: fromNow(CLAIM_MS) } }], {
      sort: { outbox_due: 1 },
      returnDocument: 'after',
      projection: { account: 1, outbox: 1 },
    });
    if (!claimed) return false;
    const entries = claimed.outbox ?? [];
    await bus.publish(
      topic,
      entries.map((entry) => message(claimed, entry)),
    );
    await collection.updateOne({ _id: claimed._id }, release(entries.map((e) => e.id)));
    return true;
  }

  return createLoop({ name: `relay of ${collection.collectionName}`, restMs: REST_MS, log, round: relayOne });
}

/** Removes exactly what was published; what came meanwhile is due now. */
const release = (published: string[]): Document[] => [
  {
    $set: {
      outbox: { $filter: { input: '$outbox', cond: { $not: { $in: ['$$this.id', literal(published)] } } } },
    },
  },
  { $set: { outbox_due: { $cond: [{ $eq: ['$outbox', []] }, '$$REMOVE', '$$NOW'] } } },
];

function message(document: WithOutbox, entry: OutboxEntry): BusMessage {
  const event = create(EventSchema, {
    id: entry.id,
    accountId: document.account,
    entityId: document._id,
    seq: entry.seq,
    at: timestampFromDate(entry.at),
    fact: entry.fact,
  } as MessageInitShape<typeof EventSchema>);
  return { key: document._id, id: entry.id, value: toBinary(EventSchema, event) };
}
