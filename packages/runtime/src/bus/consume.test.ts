import { create, toBinary } from '@bufbuild/protobuf';
import { WireType } from '@bufbuild/protobuf/wire';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { expect, test } from '@jest/globals';
import { EventSchema } from '@parley/proto/events/v1/events_pb';
import { CONVERSATIONS_TOPIC, KNOWLEDGE_TOPIC } from '@parley/proto/events/v1/topics';
import type { EventPayload } from '../mongo/outbox.ts';
import { isTransient } from '../transient.ts';
import type { Subscriber } from './bus.ts';
import { consume, type Handlers } from './consume.ts';

/** A started consumer on a bus that records its subscribers. */
async function started(on: Handlers) {
  const subscribers = new Set<Subscriber>();
  const consumer = consume(
    {
      subscribe(subscriber) {
        subscribers.add(subscriber);
        return { close: async () => void subscribers.delete(subscriber) };
      },
    },
    { group: 'g', on },
  );
  await consumer.start?.(AbortSignal.timeout(1_000));
  const topics = () => [...subscribers].map(({ topic, group }) => `${topic} for ${group}`);
  const send = (payload: EventPayload) => {
    const value = toBinary(EventSchema, create(EventSchema, { id: 'i', entityId: 'e', payload } as never));
    return [...subscribers][0]!.handle({ key: 'e', id: 'i', value, headers: {}, attempt: 1 });
  };
  return { consumer, topics, send, subscribers };
}

test('a consumer subscribes once to each topic that carries its events, and to no others', async () => {
  const nothing = async () => {};
  const { consumer, topics } = await started({
    trainingQueued: nothing,
    trainingFailed: nothing,
    chatStarted: nothing,
  });
  expect(topics()).toEqual([`${KNOWLEDGE_TOPIC} for g`, `${CONVERSATIONS_TOPIC} for g`]);
  await consumer.stop?.();
  expect(topics()).toEqual([]);
});

test('each event reaches its handler with its event; events without a handler are skipped', async () => {
  const seen: unknown[] = [];
  const { send } = await started({
    trainingQueued: async ({ entityId, payload }) => void seen.push([entityId, payload.value.generation]),
  });
  await send({ case: 'trainingQueued', value: { generation: 7 } });
  await send({ case: 'knowledgeItemDeleted', value: {} });
  expect(seen).toEqual([['e', 7]]);
});

test('a failing handler, or bytes that are not an event, fail the message', async () => {
  const { send, subscribers } = await started({ knowledgeItemDeleted: async () => Promise.reject(new Error('no')) });
  await expect(send({ case: 'knowledgeItemDeleted', value: {} })).rejects.toThrow('no');
  const garbage = { key: 'k', id: 'i', value: Buffer.from([255, 255]), headers: {}, attempt: 1 };
  await expect([...subscribers][0]!.handle(garbage)).rejects.toThrow();
});

/** An event that only a newer release knows: field 900 of the message. */
function fromNewerRelease(at: Date) {
  const unknown = [{ no: 900, wireType: WireType.LengthDelimited, data: new Uint8Array([0]) }];
  const event = create(EventSchema, { id: 'i', entityId: 'e', at: timestampFromDate(at) });
  return { key: 'e', id: 'i', value: toBinary(EventSchema, { ...event, $unknown: unknown }), headers: {}, attempt: 1 };
}

test('an event of a newer release waits for a process of that release, without using up attempts', async () => {
  const { subscribers } = await started({ trainingQueued: async () => {} });
  const handling = [...subscribers][0]!.handle(fromNewerRelease(new Date()));
  const error = await handling.catch((error: unknown) => error);
  expect(isTransient(error)).toBe(true);
  expect((error as Error).message).toContain('waits for a newer release');
});

test('an event that nobody has known for a day is given up', async () => {
  const { subscribers } = await started({ trainingQueued: async () => {} });
  const dayOld = new Date(Date.now() - 25 * 3_600_000);
  const error = await [...subscribers][0]!.handle(fromNewerRelease(dayOld)).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(Error);
  expect(isTransient(error)).toBe(false);
});
