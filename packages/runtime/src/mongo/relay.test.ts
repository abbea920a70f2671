import { fromBinary } from '@bufbuild/protobuf';
import { expect, test } from '@jest/globals';
import { EventSchema } from '@parley/proto/events/v1/events_pb';
import { CONVERSATIONS_TOPIC, KNOWLEDGE_TOPIC } from '@parley/proto/events/v1/topics';
import { type BusMessage, checkMessage, DEAD_REASON, deadTopic, MAX_MESSAGE_BYTES } from '../bus/bus.ts';
import { resourceExhausted } from '../errors.ts';
import { until } from '../testing/index.ts';
import { translateMongoError } from './errors.ts';
import { fromNow } from './lease.ts';
import { type EventPayload, MAX_OUTBOX, outbox } from './outbox.ts';
import { createRelay } from './relay.ts';
import { log, queued, recordingBus, relayed, thing, things } from './testing/state.ts';
import { compute } from './write.ts';

test('every event is relayed, in the order in which it happened, and numbered without gaps', async () => {
  const bus = recordingBus();
  const relay = createRelay({ collection: things as never, bus, log });
  const _id = await thing();
  for (const generation of [2, 3, 4]) await things.updateOne({ _id }, outbox(queued(generation)));
  await relay.start();
  await until(relayed);
  await relay.stop();
  expect(bus.events.map((e) => e.seq)).toEqual([1, 2, 3, 4]);
  expect(bus.events.map((e) => e.payload.value)).toMatchObject([1, 2, 3, 4].map((generation) => ({ generation })));
  expect(bus.events[0]).toMatchObject({ accountId: 'a', entityId: _id });
});

test('each event goes to its own topic, whatever else its document says', async () => {
  const _id = await thing(queued(1));
  await things.updateOne({ _id }, outbox({ case: 'chatStarted', value: { chatbotId: 'c' } }));
  await things.updateOne({ _id }, outbox(queued(2)));
  const published: [string, unknown][] = [];
  const publish = async (topic: string, messages: BusMessage[]) => {
    for (const { value } of messages) published.push([topic, fromBinary(EventSchema, value).payload.case]);
  };
  const relay = createRelay({ collection: things as never, bus: { publish }, log });
  await relay.start();
  await until(relayed);
  await relay.stop();
  expect(published).toEqual([
    [KNOWLEDGE_TOPIC, 'trainingQueued'],
    [KNOWLEDGE_TOPIC, 'trainingQueued'],
    [CONVERSATIONS_TOPIC, 'chatStarted'],
  ]);
});

test('an event added while its document is being relayed is relayed too', async () => {
  const _id = await thing(queued(1));
  let added = false;
  const bus = recordingBus(async () => {
    if (added) return;
    added = true;
    await things.updateOne({ _id }, outbox(queued(2)));
  });
  const relay = createRelay({ collection: things as never, bus, log });
  await relay.start();
  await until(() => bus.events.length >= 2);
  await relay.stop();
  expect(bus.events.map((e) => e.seq)).toEqual([1, 2]);
});

test('an event survives an unavailable bus, and a relay that dies while holding a claim', async () => {
  const _id = await thing();
  let unavailable = true;
  const bus = recordingBus(async () => {
    if (unavailable) throw new Error('unavailable');
  });
  const first = createRelay({ collection: things as never, bus, log });
  await first.start();
  await until(async () => (await things.findOne({ _id }))!.outbox_due!.getTime() > Date.now() + 10_000);
  await first.stop();
  // The dead relay's claim expires.
  await things.updateOne({ _id }, [compute({ outbox_due: '$$NOW' })]);
  unavailable = false;
  const second = createRelay({ collection: things as never, bus, log });
  await second.start();
  await until(relayed);
  await second.stop();
  expect(bus.events).toHaveLength(1);
});

test('two relays publish each event at least once and lose none', async () => {
  const bus = recordingBus();
  const relays = [1, 2].map(() => createRelay({ collection: things as never, bus, log }));
  const ids = await Promise.all(Array.from({ length: 20 }, () => thing()));
  await Promise.all(relays.map((r) => r.start()));
  await until(relayed);
  await Promise.all(relays.map((r) => r.stop()));
  expect(new Set(bus.events.map((e) => e.entityId))).toEqual(new Set(ids));
});

test('due documents are relayed together, each in its own order', async () => {
  const batches: number[] = [];
  const bus = recordingBus(async (messages) => void batches.push(messages.length));
  const ids = await Promise.all(Array.from({ length: 20 }, () => thing()));
  for (const _id of ids) await things.updateOne({ _id }, outbox(queued(2)));
  const relay = createRelay({ collection: things as never, bus, log });
  await relay.start();
  await until(relayed);
  await relay.stop();
  expect(batches).toEqual([40]);
  for (const _id of ids) expect(bus.events.filter((e) => e.entityId === _id).map((e) => e.seq)).toEqual([1, 2]);
});

test('an event that the bus refuses for good becomes a dead letter with the reason, and holds up no others', async () => {
  const dead: BusMessage[] = [];
  const tooLarge = await thing(queued(1));
  const ids = await Promise.all(Array.from({ length: 3 }, () => thing()));
  // Written without `outbox`, which checks the size.
  const reason = 'x'.repeat(MAX_MESSAGE_BYTES);
  const payload = { case: 'trainingFailed', value: { generation: 2, reason } };
  await things.updateOne(
    { _id: tooLarge },
    { $push: { outbox: { id: 'large', seq: 2, at: new Date(), payload } } as never },
  );
  await things.updateOne({ _id: tooLarge }, { $set: { seq: 2 } });
  await things.updateOne({ _id: tooLarge }, outbox(queued(3)));
  const bus = recordingBus(async (messages) => messages.forEach(checkMessage));
  const publish = async (topic: string, messages: BusMessage[]) => {
    if (topic !== deadTopic(KNOWLEDGE_TOPIC)) return bus.publish(topic, messages);
    messages.forEach(checkMessage);
    dead.push(...messages);
  };
  const relay = createRelay({ collection: things as never, bus: { publish }, log });
  await relay.start();
  await until(relayed);
  await relay.stop();
  expect(bus.events.filter((e) => e.entityId === tooLarge).map((e) => e.seq)).toEqual([1, 3]);
  expect(new Set(bus.events.map((e) => e.entityId))).toEqual(new Set([tooLarge, ...ids]));
  expect(dead).toMatchObject([{ key: tooLarge, id: 'large' }]);
  expect(dead[0]!.headers).toEqual({ [DEAD_REASON]: expect.stringContaining('at most 1000000 bytes') });
  const event = fromBinary(EventSchema, dead[0]!.value);
  expect(event).toMatchObject({ accountId: 'a', entityId: tooLarge, seq: 2, payload: { case: undefined } });
});

test('a write whose event would be too large for the bus is refused', () => {
  const payload = (bytes: number): EventPayload => ({
    case: 'trainingFailed',
    value: { generation: 1, reason: 'x'.repeat(bytes) },
  });
  expect(() => outbox(payload(MAX_MESSAGE_BYTES - 1_000))).toThrow(
    'The event has 999010 bytes; it must have at most 998000.',
  );
  outbox(payload(MAX_MESSAGE_BYTES - 3_000));
});

test('a relay that shared its batch with another one takes the next at once, without resting', async () => {
  await Promise.all(Array.from({ length: 150 }, () => thing()));
  let shared = 0;
  /** Claims half of what the relay has just found due, as another relay might. */
  async function share(due: { _id: string }[]) {
    if (shared > 0) return;
    shared = due.length / 2;
    const _id = { $in: due.slice(0, shared).map((document) => document._id) };
    await things.updateMany({ _id }, [compute({ outbox_due: fromNow(60_000), outbox_claim: 'another' })]);
  }
  const contended = new Proxy(things, {
    get(target, name) {
      if (name !== 'find') return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name);
      return (...query: Parameters<typeof target.find>) => ({
        async toArray() {
          const found = await target.find(...query).toArray();
          if ('outbox_due' in query[0]!) await share(found);
          return found;
        },
      });
    },
  });
  const bus = recordingBus();
  const relay = createRelay({ collection: contended as never, bus, log, restMs: 3_600_000 });
  await relay.start();
  await until(() => bus.events.length === 100);
  await relay.stop();
  expect(shared).toBe(50);
});

/** A document with many events, as an outage of the bus leaves it. */
async function busyThing(events: number): Promise<string> {
  const _id = await thing();
  const entries = Array.from({ length: events - 1 }, (_, i) => ({
    id: `${_id}-${i}`,
    seq: i + 2,
    at: new Date(),
    payload: queued(i + 2),
  }));
  await things.updateOne({ _id }, { $push: { outbox: { $each: entries } } as never, $set: { seq: events } });
  return _id;
}

test('what an outage left is published in parts that the bus accepts, each removed once it is published', async () => {
  const ids = await Promise.all(Array.from({ length: 3 }, () => busyThing(400)));
  const waiting: number[] = [];
  const bus = recordingBus(async (messages) => {
    if (messages.length > 500) throw resourceExhausted('Too many messages are waiting to be published.');
    const documents = await things.find({}).toArray();
    waiting.push(documents.reduce((sum, { outbox = [] }) => sum + outbox.length, 0));
  });
  const relay = createRelay({ collection: things as never, bus, log });
  await relay.start();
  await until(relayed);
  await relay.stop();
  expect(waiting).toEqual([1_200, 700, 200]);
  const all = Array.from({ length: 400 }, (_, i) => i + 1);
  for (const _id of ids) expect(bus.events.filter((e) => e.entityId === _id).map((e) => e.seq)).toEqual(all);
});

test('a document whose events can not be published waits longer each time, and holds up no other', async () => {
  const [broken, fine] = [await thing(), await thing()];
  await things.updateOne(
    { _id: broken },
    { $set: { 'outbox.0.payload': { case: 'trainingQueued', value: { generation: 'x' } } } as never },
  );
  const bus = recordingBus();
  const relay = createRelay({ collection: things as never, bus, log });
  await relay.start();
  const attempts = async () => (await things.findOne({ _id: broken }))!.outbox_attempts;
  await until(async () => (await attempts()) === 1);
  await things.updateOne({ _id: broken }, [compute({ outbox_due: '$$NOW' })]);
  await until(async () => (await attempts()) === 2);
  await relay.stop();
  expect(bus.events.map((e) => e.entityId)).toEqual([fine]);
  const document = (await things.findOne({ _id: broken }))!;
  expect(document.outbox).toHaveLength(1);
  expect(document.outbox_due!.getTime() - Date.now()).toBeGreaterThan(6_000);
});

test('a write to a document with a full outbox is refused in words, and goes through once the bus has caught up', async () => {
  const _id = await busyThing(MAX_OUTBOX);
  const write = () => things.updateOne({ _id }, outbox(queued(1_000)));
  const error = await write().catch((error) => error);
  expect(translateMongoError(error)).toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/wait to be published/),
  });
  expect((await things.findOne({ _id }))!.outbox).toHaveLength(MAX_OUTBOX);
  const relay = createRelay({ collection: things as never, bus: recordingBus(), log });
  await relay.start();
  await until(relayed);
  await relay.stop();
  expect(await write()).toMatchObject({ modifiedCount: 1 });
});
