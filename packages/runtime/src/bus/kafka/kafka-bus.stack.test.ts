import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { startSecuredKafka } from '../../../../../deploy/stack/secured-kafka.ts';
import { until } from '../../testing/index.ts';
import type { Bus, Received } from '../bus.ts';
import { busContract } from '../testing/contract.ts';
import { openBus, TEST_TIMING } from '../testing/open-kafka.ts';
import { collect, idOf, message, startChild } from '../testing/tools.ts';
import { createKafkaBus } from './kafka-bus.ts';
import { PARTITIONS } from './topics.ts';

const secured = await startSecuredKafka();
const { kafka } = secured;
const module = new URL('../testing/open-kafka.ts', import.meta.url).href;
const opener = { module, argument: kafka.brokers };
afterAll(async () => secured[Symbol.asyncDispose]());

busContract('the bus on Kafka, over TLS and signed in', async () => ({
  opener: { module, argument: JSON.stringify(secured.connection()) },
  close: async () => {},
}));

const buses: Bus[] = [];
const openOne = async (timing = TEST_TIMING) => {
  const bus = await openBus(kafka.brokers, timing);
  buses.push(bus);
  return bus;
};
afterEach(async () => {
  await Promise.all(buses.splice(0).map((bus) => bus.stop()));
});

const newTopic = () => `t-${randomUUID()}`;
const keys = (n: number) => Array.from({ length: n }, (_, i) => message(`key-${i}`, i));

test('a process suspended past its session handles nothing that another one has taken over', async () => {
  const [bus, topic] = [await openOne(), newTopic()];
  const old = Array.from({ length: 150 }, (_, i) => message(`key-${i % 8}`, i));
  await bus.publish(topic, old);
  const { child, lines, ended } = startChild(opener, { name: 'SIGSTOP', after: 50 }, ['consume', topic, 'g']);
  await until(() => lines.length === 50);

  const got = collect(bus, topic, 'g');
  await until(() => new Set([...lines, ...got.map(idOf)]).size === old.length);
  child.kill('SIGCONT');
  await bus.stop();
  const other = await openOne();
  await other.publish(topic, [message('key-0', 150)]);
  await until(() => lines.includes('150'));
  // One message of each partition may have been in progress.
  expect(lines.slice(50).filter((id) => id !== '150').length).toBeLessThanOrEqual(PARTITIONS);
  child.kill('SIGKILL');
  await ended;
});

test('a partition changes hands only after its running handler has finished', async () => {
  const [first, second, topic] = [await openOne(), await openOne(), newTopic()];
  const seen: string[] = [];
  const handle = async ({ id }: Received) => {
    seen.push(`${id} begins`);
    // Longer than it takes to learn that the group has a new member, and shorter than a handler may take.
    if (id === '1') await sleep(2_000);
    seen.push(`${id} ends`);
  };
  first.subscribe({ topic, group: 'g', handle });
  await first.publish(topic, [message('k', 1), message('k', 2)]);
  await until(() => seen.length === 1);
  second.subscribe({ topic, group: 'g', handle });
  await until(() => seen.length === 4);
  expect(seen).toEqual(['1 begins', '1 ends', '2 begins', '2 ends']);
});

test('a slow handler holds up no other partition', async () => {
  const [bus, topic] = [await openOne(), newTopic()];
  const gate = new EventEmitter();
  const opened = once(gate, 'open');
  const seen: string[] = [];
  bus.subscribe({
    topic,
    group: 'g',
    async handle({ id }) {
      seen.push(`${id} begins`);
      if (id === 'slow') await opened;
      seen.push(`${id} ends`);
    },
  });
  await bus.publish(topic, [{ ...message('k', 0), id: 'slow' }]);
  await until(() => seen.includes('slow begins'));
  // Some of the twenty keys are in other partitions; messages behind the slow one wait for it.
  await bus.publish(topic, keys(20));
  await until(() => seen.length > 1);
  expect(seen).not.toContain('slow ends');
  gate.emit('open');
  await until(() => seen.length === 42);
});

test('the partitions of a stopped process are taken over at once, not when its session ends', async () => {
  const timing = { ...TEST_TIMING, sessionMs: 30_000 };
  const [first, second, topic] = [await openOne(timing), await openOne(timing), newTopic()];
  const before = [collect(first, topic, 'g'), collect(second, topic, 'g')];
  await until(async () => {
    await first.publish(topic, keys(20));
    return before.every((got) => got.length > 0);
  });
  const [, rest] = before;
  await first.stop();
  const stoppedAt = performance.now();
  await second.publish(
    topic,
    keys(20).map((m) => ({ ...m, id: `late ${m.id}` })),
  );
  await until(() => rest!.filter(({ id }) => id.startsWith('late')).length >= 20);
  expect(performance.now() - stoppedAt).toBeLessThan(timing.sessionMs / 3);
});

test('a consumer that Kafka refuses is recreated again and again, and the bus is not ready', async () => {
  const logged: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) });
  const timing = { ...TEST_TIMING, sessionMs: 1_500 };
  const bus = createKafkaBus({ brokers: [kafka.brokers], clientId: 'test', log, timing });
  buses.push(bus);
  const topic = newTopic();
  bus.subscribe({ topic, group: 'g', handle: async () => {} });
  await bus.start();
  await until(() => logged.filter((line) => line.includes('session timeout')).length >= 2);
  await expect(bus.ready()).rejects.toThrow(`The group g of ${topic} does not count on this process.`);
});
