import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { EventSchema } from '@parley/proto/events/v1/events_pb';
import type { Collection, Document, Filter } from 'mongodb';
import { MAX_MESSAGE_BYTES } from '../bus/bus.ts';
import { invalidArgument } from '../errors.ts';
import { randomId } from '../ids.ts';
import { activeTrace } from '../telemetry/tracing.ts';
import { OUTBOX_FULL } from './errors.ts';
import { deleteAndCount, literal } from './write.ts';

/** The event of a `parley.events.v1.Event`: `{ case: 'trainingQueued', value: { generation: 1 } }`. */
export type EventPayload = NonNullable<MessageInitShape<typeof EventSchema>['payload']> & { case: string };

export interface OutboxEntry {
  id: string;
  seq: number;
  at: Date;
  payload: EventPayload;
  /** The trace that wrote it, as W3C's traceparent. */
  trace?: string;
}

/** The fields of a document that publishes events. The relay publishes them from `outbox`. */
export interface WithOutbox {
  _id: string;
  account: string;
  seq?: number;
  outbox?: OutboxEntry[];
  outbox_due?: Date;
  /** The claim of the relay that holds the document until `outbox_due`. */
  outbox_claim?: string;
  /** How often a relay could not publish its events although the bus was available. */
  outbox_attempts?: number;
}

/** Events of one document that may wait. While the bus is unavailable for long, further changes of it are refused. */
export const MAX_OUTBOX = 500;

/** Leaves room for the rest of an event: ids, the account, the time. */
const MAX_FACT_BYTES = MAX_MESSAGE_BYTES - 2_000;

interface OutboxOptions {
  /** An expression: whether there is an event. It sees the document as the stages before have left it. Default: always. */
  when?: unknown;
  /** Fields of the event that are known only as it is written: expressions. */
  computed?: Document;
  /** The write may change several documents: each event gets an id of its own. */
  many?: boolean;
}

/**
 * Pipeline stages that add an event to a write, so that the change and its event are atomic.
 *
 * The write is refused with `unavailable` if `MAX_OUTBOX` events of the document are waiting.
 *
 * @throws AppError `invalid_argument` if the event would be too large for the bus, before anything is written.
 */
export function outbox(payload: EventPayload, { when = true, computed, many = false }: OutboxOptions = {}): Document[] {
  const bytes = toBinary(EventSchema, create(EventSchema, { payload } as MessageInitShape<typeof EventSchema>)).length;
  if (bytes > MAX_FACT_BYTES)
    throw invalidArgument(`The event has ${bytes} bytes; it must have at most ${MAX_FACT_BYTES}.`);
  const value = { $mergeObjects: [literal(payload.value), computed ?? {}] };
  const said = computed ? { case: literal(payload.case), value } : literal(payload);
  const id = many ? { $concat: [literal(`${randomId()}.`), '$_id'] } : literal(randomId());
  const trace = activeTrace();
  const entry = { id, seq: '$seq', at: '$$NOW', payload: said, ...(trace && { trace: literal(trace) }) };
  const added = { $concatArrays: [{ $ifNull: ['$outbox', []] }, [entry]] };
  // What is not there stays so.
  const onlyThen = (field: string, value: unknown) => (when === true ? value : { $cond: [when, value, `$${field}`] });
  return [
    { $set: { seq: onlyThen('seq', { $add: [{ $ifNull: ['$seq', 0] }, 1] }) } },
    {
      $set: {
        outbox: onlyThen('outbox', { $cond: [isFull, FAIL, added] }),
        // A relay that holds the document sets the next due time when it is done.
        outbox_due: onlyThen('outbox_due', { $ifNull: ['$outbox_due', '$$NOW'] }),
      },
    },
  ];
}

const isFull = { $gte: [{ $size: { $ifNull: ['$outbox', []] } }, MAX_OUTBOX] };
/** An expression that fails, by which `translateMongoError` tells why: a pipeline has no other way to refuse a write. */
const FAIL = { $toInt: { $concat: [OUTBOX_FULL, { $toString: { $size: '$outbox' } }] } };

/** The index that a relayed collection needs. */
export const OUTBOX_INDEX = {
  key: { outbox_due: 1 },
  partialFilterExpression: { outbox_due: { $exists: true } },
} as const;

/** Deletes those of the matching documents whose events are published. Returns how many, and whether any are left. Idempotent. */
export async function deletePublished<T extends WithOutbox>(collection: Collection<T>, filter: Filter<T>) {
  const deleted = await deleteAndCount(collection, { ...filter, outbox_due: { $exists: false } });
  const isLeft = (await collection.findOne(filter, { projection: { _id: 1 } as Document })) !== null;
  return { deleted, isLeft };
}
