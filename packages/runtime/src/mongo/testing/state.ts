import { fromBinary } from '@bufbuild/protobuf';
import { afterAll, afterEach } from '@jest/globals';
import { type Event, EventSchema } from '@parley/proto/events/v1/events_pb';
import { MongoClient } from 'mongodb';
import type { BusMessage } from '../../bus/bus.ts';
import { randomId } from '../../ids.ts';
import { createLog } from '../../log.ts';
import { freshDatabase } from '../../testing/index.ts';
import { type EventPayload, outbox, type WithOutbox } from '../outbox.ts';
import { insertOnce } from '../write.ts';

interface Thing extends WithOutbox {
  name: string;
  created_at: Date;
  deleted_at: Date | null;
}

const database = freshDatabase();
const client = new MongoClient(database.uri, { retryWrites: false });

/** The setup of a test file: one database, with one collection of things with an outbox, empty before each test. */
export const db = client.db(database.name);
export const things = db.collection<Thing>('things');
export const log = createLog('test', 'silent');

afterEach(() => things.deleteMany({}));
afterAll(async () => {
  await client.close();
  await database.drop();
});

export const queued = (generation: number): EventPayload => ({ case: 'trainingQueued', value: { generation } });

export async function thing(payload = queued(1)) {
  const _id = randomId();
  await insertOnce(things, { _id, account: 'a', name: 'n', deleted_at: null }, outbox(payload));
  return _id;
}

/** A bus that records its events, and first does whatever a test wants to happen meanwhile. */
export function recordingBus(onPublish: (messages: BusMessage[]) => Promise<void> = async () => {}) {
  const events: Event[] = [];
  return {
    events,
    async publish(_topic: string, messages: BusMessage[]) {
      await onPublish(messages);
      events.push(...messages.map((m) => fromBinary(EventSchema, m.value)));
    },
  };
}

export const relayed = async () => (await things.countDocuments({ outbox_due: { $exists: true } })) === 0;
