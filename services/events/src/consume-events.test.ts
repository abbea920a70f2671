import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { durationFromMs, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { EventSchema } from '@parley/proto/events/v1/events_pb';
import { EventsService, type ListEventsRequestSchema } from '@parley/proto/events/v1/events_service_pb';
import { createLog, createMetrics } from '@parley/runtime';
import { AUTH_TOPIC, type Bus, CONVERSATIONS_TOPIC, openBus, signedBus } from '@parley/runtime/bus';
import { parseAllowList } from '@parley/runtime/outbound';
import { callAs, type RpcClient, type RpcProcess, randomId, rpcClient } from '@parley/runtime/rpc';
import { freshDatabase, until } from '@parley/runtime/testing';
import { createEvents } from './create.ts';

const secret = randomId();
const [own, busDatabase] = [freshDatabase(), freshDatabase()];
const { uri } = own;
const config = {
  ...{ name: 'events', listen: { host: '127.0.0.1', port: 0 }, secret, kept: 1_000, logLevel: 'silent', graceMs: 0 },
  webhooks: { most: 10, allow: parseAllowList(''), timeoutMs: 1_000, concurrency: 1, endpoints: 1 },
  ...{ mongodb: { uri, database: own.name }, bus: { mongodb: { uri, database: busDatabase.name } } },
};
let bus: Bus;
let service: RpcProcess;
let events: RpcClient<typeof EventsService>;
let began: Date;
beforeAll(async () => {
  bus = openBus(config.bus, createLog('test', 'silent'), createMetrics());
  await bus.start();
  service = createEvents(config, { bus });
  await service.start();
  events = rpcClient(EventsService, { address: `127.0.0.1:${service.port()}` });
  began = new Date();
});
afterAll(async () => {
  await events[Symbol.asyncDispose]();
  await service.stop();
  await bus.stop();
  await Promise.all([own.drop(), busDatabase.drop()]);
});

interface Published {
  account: string;
  id?: string;
  entity?: string;
  at?: Date;
}

/** Publishes as a process of this role. */
async function publish(role: string, topic: string, published: Published[]): Promise<void> {
  const payload =
    topic === AUTH_TOPIC
      ? { case: 'apiKeyCreated' as const, value: {} }
      : { case: 'chatMessageAdded' as const, value: { chatbotId: randomId(), messageId: randomId() } };
  const messages = published.map(({ account, id = randomId(), entity = randomId(), at = new Date() }) => {
    const event = { id, accountId: account, entityId: entity, seq: 1, at: timestampFromDate(at), payload };
    const value = toBinary(EventSchema, create(EventSchema, event as MessageInitShape<typeof EventSchema>));
    return { key: entity, id, value };
  });
  await signedBus(bus, { secret, role }, { [topic]: role }).publish(topic, messages);
}

const read = async (account: string, more: Omit<MessageInitShape<typeof ListEventsRequestSchema>, '$typeName'> = {}) =>
  events.listEvents({ limit: 100, ...more }, callAs(secret, { account }, { role: 'gateway', timeoutMs: 30_000 }));

test('events of all services get into the log of their account, numbered, each once however often it is delivered', async () => {
  const [account, id] = [randomId(), randomId()];
  await publish('conversations', CONVERSATIONS_TOPIC, [
    { account, id, entity: id },
    { account, id, entity: id },
  ]);
  await publish('auth', AUTH_TOPIC, [{ account }]);
  const { items } = await until(
    () => read(account),
    ({ items }) => items.length >= 2,
  );
  await publish('conversations', CONVERSATIONS_TOPIC, [{ account, id, entity: id }, { account }]);
  const later = await until(
    () => read(account),
    ({ items }) => items.length >= 3,
  );
  expect(later.items.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect(later.items.map(({ type }) => type).sort()).toEqual(['key.created', 'message.received', 'message.received']);
  expect(later.items.slice(0, 2)).toEqual(items);
  expect(later.items.filter((event) => event.id === id)).toHaveLength(1);
});

test('what another process says in the name of a service is not believed', async () => {
  const account = randomId();
  await publish('knowledge', CONVERSATIONS_TOPIC, [{ account }]);
  await publish('conversations', CONVERSATIONS_TOPIC, [{ account }]);
  await until(async () => (await bus.lag(CONVERSATIONS_TOPIC, 'events')) === 0);
  expect((await read(account)).items).toHaveLength(1);
});

test('what had happened before the service was installed, or more than seven days ago, is no event', async () => {
  const account = randomId();
  const before = [new Date(began.getTime() - 600_000), new Date(Date.now() - 8 * 24 * 3_600_000)];
  await publish('conversations', CONVERSATIONS_TOPIC, [...before.map((at) => ({ account, at })), { account }]);
  await until(async () => (await bus.lag(CONVERSATIONS_TOPIC, 'events')) === 0);
  expect((await read(account)).items).toHaveLength(1);
});

test('a reader that waits gets the next event, of the types that it wants, as soon as it is there', async () => {
  const account = randomId();
  const waiting = read(account, { types: ['key.created'], wait: durationFromMs(25_000) });
  await publish('conversations', CONVERSATIONS_TOPIC, [{ account }]);
  await publish('auth', AUTH_TOPIC, [{ account }]);
  expect((await waiting).items.map(({ type }) => type)).toEqual(['key.created']);
  // Nothing comes: it ends with the time, and knows where to go on.
  const { position } = await read(account);
  expect(await read(account, { after: position, wait: durationFromMs(50) })).toMatchObject({ items: [], position });
  expect(await read(account, { fromNow: true })).toMatchObject({ items: [], position });
});

test('a type that there is not, and a position that there never was, are refused', async () => {
  for (const wrong of [{ types: ['chat.began'] }, { after: 1_000 }])
    await expect(read(randomId(), wrong)).rejects.toThrow(/There is no event|no event with that number/);
});

test('deleting an account deletes its events, also those that come later', async () => {
  const account = randomId();
  await publish('conversations', CONVERSATIONS_TOPIC, [{ account }]);
  await until(
    () => read(account),
    ({ items }) => items.length === 1,
  );
  await events.deleteAccountData({ accountId: account }, callAs(secret, {}));
  expect((await read(account)).items).toEqual([]);
  await publish('conversations', CONVERSATIONS_TOPIC, [{ account }]);
  await until(async () => (await bus.lag(CONVERSATIONS_TOPIC, 'events')) === 0);
  await until(
    () => read(account),
    ({ items, position }) => items.length === 0 && position === 0,
    60_000,
  );
});
