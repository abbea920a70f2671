import { create, toBinary } from '@bufbuild/protobuf';
import { expect, test } from '@jest/globals';
import { EventSchema } from '@parley/proto/events/v1/events_pb';
import { CONVERSATIONS_TOPIC, KNOWLEDGE_TOPIC } from '@parley/proto/events/v1/topics';
import type { Fact } from '../mongo/outbox.ts';
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
  const send = (fact: Fact) => {
    const value = toBinary(EventSchema, create(EventSchema, { id: 'i', entityId: 'e', fact } as never));
    return [...subscribers][0]!.handle({ key: 'e', id: 'i', value, headers: {}, attempt: 1 });
  };
  return { consumer, topics, send, subscribers };
}

test('a consumer subscribes once to each topic that carries its facts, and to no others', async () => {
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

test('each fact reaches its handler with its event; facts without a handler are skipped', async () => {
  const seen: unknown[] = [];
  const { send } = await started({
    trainingQueued: async ({ entityId, fact }) => void seen.push([entityId, fact.value.generation]),
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
