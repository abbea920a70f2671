import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { startKafka } from '../../../../../deploy/stack/kafka.ts';
import { freePort } from '../../../../../deploy/stack/server.ts';
import { createLog } from '../../log.ts';
import { until } from '../../testing/index.ts';
import type { Bus } from '../bus.ts';
import { JOIN_GROUP, SYNC_GROUP, startKafkaProxy } from '../testing/kafka-proxy.ts';
import { TEST_TIMING } from '../testing/open-kafka.ts';
import { collect, idOf, message } from '../testing/tools.ts';
import { openKafka } from './client.ts';
import { groupIdOf } from './consumer.ts';
import { createKafkaBus } from './kafka-bus.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'parley-kafka-'));
const [port, brokerPort] = [await freePort(), await freePort()];
const address = `127.0.0.1:${port}`;
const proxy = await startKafkaProxy(port, brokerPort);
const kafka = await startKafka({ dataDir, port: brokerPort, advertised: address });

const buses: Bus[] = [];
let logged: string[] = [];
const stopAll = () => Promise.all(buses.splice(0).map((bus) => bus.stop()));
afterEach(async () => {
  proxy.resume();
  await stopAll();
  logged = [];
});
afterAll(async () => {
  await kafka.stop();
  await proxy.stop();
  await rm(dataDir, { recursive: true });
});

/** A consumer that was left running would keep its connections. */
async function expectNothingLeft() {
  await stopAll();
  await until(() => proxy.connections === 0);
}

async function openOne(timing = TEST_TIMING): Promise<Bus> {
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });
  const bus = createKafkaBus({ brokers: [address], clientId: 'test', log, timing });
  buses.push(bus);
  await bus.start();
  return bus;
}

const FAULT_MS = 120_000;
/** A group forgets a member that was silent for this long. */
const SILENCE_MS = TEST_TIMING.sessionMs + 2_000;
const HEALED_WITHIN_MS = 45_000;
const newTopic = () => `t-${randomUUID()}`;
const keys = (n: number) => Array.from({ length: n }, (_, i) => message(`key-${i}`, i));
const isReady = (bus: Bus) =>
  bus.ready().then(
    () => true,
    () => false,
  );

const client = openKafka({ brokers: [address], clientId: 'test' }, createLog('test', 'silent'));
async function stateOf(group: { topic: string; group: string }) {
  const { groups } = await client.ask((admin) => admin.describeGroups([groupIdOf(group)]));
  return groups[0]?.state;
}

test.each([
  ['request to join', 'request', JOIN_GROUP],
  ['partitions', 'answer', SYNC_GROUP],
] as const)(
  'a process that its group has forgotten recovers by itself, and is not ready before, even if its %s got lost',
  async (_, lost, kind) => {
    const [bus, topic] = [await openOne(), newTopic()];
    const got = collect(bus, topic, 'g');
    await bus.publish(topic, [message('k', 1)]);
    await until(() => got.length === 1);
    proxy.pause();
    await sleep(SILENCE_MS);
    const loss = proxy.lose(lost, kind);
    proxy.resume();
    await loss;
    await until(() => isReady(bus), Boolean, HEALED_WITHIN_MS);
    await bus.publish(topic, [message('k', 2)]);
    await until(() => got.map(idOf).includes('2'));
    await expectNothingLeft();
  },
  FAULT_MS,
);

/** Takes Kafka down until a consumer is given up, or longer. */
async function expectReplaced(takeAway: () => void, giveBack: () => Promise<void>) {
  const [bus, topic] = [await openOne(), newTopic()];
  const got = collect(bus, topic, 'g');
  await until(() => isReady(bus));
  takeAway();
  await until(() => logged.some((line) => line.includes('Waiting for it.')), Boolean, HEALED_WITHIN_MS);
  await giveBack();
  await until(() => isReady(bus), Boolean, HEALED_WITHIN_MS);
  await bus.publish(topic, [message('k', 1)]);
  await until(() => got.length > 0);
  expect(logged.filter((line) => line.includes('"level":50'))).toEqual([
    expect.stringContaining(`The group g/${topic} has not counted on this consumer for 18 s.`),
  ]);
}

test(
  'a consumer is replaced if Kafka hangs for long, and one log line says so',
  async () => {
    await expectReplaced(
      () => proxy.pause(),
      async () => proxy.resume(),
    );
    await expectNothingLeft();
  },
  FAULT_MS,
);

test('a bus stops in time even if Kafka hangs, and its consumers leave the group once Kafka resumes', async () => {
  const [bus, topic] = [await openOne(), newTopic()];
  collect(bus, topic, 'g');
  await until(() => isReady(bus));
  proxy.pause();
  const stopping = performance.now();
  await bus.stop();
  expect(performance.now() - stopping).toBeLessThan(15_000);
  proxy.resume();
  await until(async () => (await stateOf({ topic, group: 'g' })) === 'Empty');
  await expectNothingLeft();
});

test('a subscription closed while it joins takes no partition away', async () => {
  // Longer than this test waits: a member that went without leaving would keep its share until its session ends.
  const timing = { ...TEST_TIMING, sessionMs: 30_000 };
  const [first, second, topic] = [await openOne(timing), await openOne(timing), newTopic()];
  const seen: string[] = [];
  first.subscribe({
    topic,
    group: 'g',
    async handle({ id }) {
      // The group waits for it before it gives the second one its share.
      if (id === 'slow') await sleep(2_500);
      seen.push(id);
    },
  });
  await first.publish(topic, [{ ...message('k', 0), id: 'first' }]);
  await until(() => seen.length === 1);
  await first.publish(topic, [{ ...message('k', 0), id: 'slow' }]);
  const joining = second.subscribe({ topic, group: 'g', handle: async () => {} });
  await until(async () => (await stateOf({ topic, group: 'g' })) === 'PreparingRebalance');
  await joining.close();
  await first.publish(topic, keys(20));
  await until(() => seen.length === 22);
  await expectNothingLeft();
});

// Last: kafkajs keeps a connection to a coordinator that was down for a while, until the broker closes it.
test(
  'a consumer is replaced if Kafka is down for long, and one log line says so',
  () =>
    expectReplaced(
      () => kafka.kill('SIGKILL'),
      () => kafka.restart(),
    ),
  FAULT_MS,
);
