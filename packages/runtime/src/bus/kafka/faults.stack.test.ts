import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import { type KafkaServer, startKafka } from '../../../../../deploy/stack/kafka.ts';
import { freePort } from '../../../../../deploy/stack/server.ts';
import { until } from '../../testing/index.ts';
import type { Bus, BusMessage } from '../bus.ts';
import { openBus } from '../testing/open-kafka.ts';
import { collect, message } from '../testing/tools.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'parley-kafka-'));
const port = await freePort();
const brokers = `127.0.0.1:${port}`;
let kafka: KafkaServer;
let bus: Bus;
afterAll(async () => {
  await bus.stop();
  await kafka?.stop();
  await rm(dataDir, { recursive: true });
});

const FAULT_MS = 90_000;
const newTopic = () => `t-${randomUUID()}`;
const isReady = () =>
  bus.ready().then(
    () => true,
    () => false,
  );

/** Publishes for five keys, one message of a key after the other, until stopped. The ids of a key count up. */
function keepPublishing(topic: string) {
  const acknowledged: BusMessage[] = [];
  let ended = false;
  const publishFor = async (key: string) => {
    for (let i = 0; !ended; i++) {
      const next = { ...message(key, i), id: `${key} ${i}` };
      await bus.publish(topic, [next]).then(
        () => acknowledged.push(next),
        () => {},
      );
    }
  };
  const publishers = Promise.all(['a', 'b', 'c', 'd', 'e'].map(publishFor));
  return {
    acknowledged,
    async end() {
      ended = true;
      await publishers;
    },
  };
}

/** Everything acknowledged was handled, and the first copies of each key's messages came in publishing order. */
async function expectDelivered(acknowledged: BusMessage[], got: BusMessage[]) {
  await until(() => {
    const ids = new Set(got.map(({ id }) => id));
    return acknowledged.every(({ id }) => ids.has(id));
  });
  for (const key of ['a', 'b', 'c', 'd', 'e']) {
    const numbers = [...new Set(got.filter((m) => m.key === key).map(({ id }) => Number(id.split(' ')[1])))];
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
  }
}

test('a bus without Kafka starts, says what it lacks, and works once Kafka is up', async () => {
  const topic = newTopic();
  bus = await openBus(brokers);
  const got = collect(bus, topic, 'g');
  await expect(bus.ready()).rejects.toThrow(`Kafka does not answer at ${brokers}.`);
  await expect(bus.publish(topic, [message('k', 1)])).rejects.toMatchObject({ code: 'unavailable' });
  kafka = await startKafka({ dataDir, port });
  await until(isReady);
  await bus.publish(topic, [message('k', 2)]);
  await until(() => got.length > 0);
});

test(
  'everything acknowledged is delivered in order, even if the broker dies by kill -9',
  async () => {
    const topic = newTopic();
    const got = collect(bus, topic, 'g');
    const publishing = keepPublishing(topic);
    await until(() => publishing.acknowledged.length > 200);
    kafka.kill('SIGKILL');
    const before = publishing.acknowledged.length;
    await kafka.restart();
    await until(() => publishing.acknowledged.length > before + 200);
    await publishing.end();
    await expectDelivered(publishing.acknowledged, got);
    await until(isReady);
  },
  FAULT_MS,
);

test(
  'everything acknowledged is delivered in order, even if the broker hangs for 15 seconds',
  async () => {
    const topic = newTopic();
    const got = collect(bus, topic, 'g');
    const publishing = keepPublishing(topic);
    await until(() => publishing.acknowledged.length > 200);
    kafka.kill('SIGSTOP');
    const hangs = sleep(15_000);
    await until(async () => !(await isReady()));
    await hangs;
    const before = publishing.acknowledged.length;
    kafka.kill('SIGCONT');
    await until(() => publishing.acknowledged.length > before + 200);
    await publishing.end();
    await expectDelivered(publishing.acknowledged, got);
    await until(isReady);
  },
  FAULT_MS,
);
