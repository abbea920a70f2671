import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Timestamp } from 'mongodb';
import { freshDatabase } from '../../../../deploy/embedded/src/testing.ts';
import { createLog } from '../log.ts';
import { type Mongo, openMongo } from '../mongo/connect.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { until } from '../testing/index.ts';
import { type BusMessage, DEAD_REASON, deadTopic } from './bus.ts';
import { busContract } from './contract.ts';
import { TEST_TIMING } from './contract-open-mongo.ts';
import { startChild } from './contract-tools.ts';
import { createMongoBus } from './mongo-bus.ts';
import { append, BUS_MIGRATIONS, LANES, messagesOf } from './mongo-log.ts';
import { claimLane, commitOffset, offsetsOf, registerLane } from './mongo-offsets.ts';
import { deleteHandled } from './mongo-retention.ts';

const database = freshDatabase();
const opener = {
  module: new URL('./contract-open-mongo.ts', import.meta.url).href,
  argument: `${database.uri} ${database.name}`,
};

busContract('the bus in MongoDB', async () => ({ opener, close: async () => {} }));

const log = createLog('bus-test', 'silent');
let mongo: Mongo;
beforeAll(async () => {
  mongo = openMongo({ uri: database.uri, database: database.name }, BUS_MIGRATIONS, log);
  await mongo.start?.(AbortSignal.timeout(10_000));
});
afterAll(async () => {
  await mongo.stop?.();
  await database.drop();
});

const newTopic = () => `t-${randomUUID()}`;
const message = (key: string, id: number): BusMessage => ({ key, id: String(id), value: Buffer.from('x') });
const seqs = async (topic: string) => {
  const found = await messagesOf(mongo.db).find({ topic }).sort({ seq: 1 }).toArray();
  return found.map((m) => m.seq);
};

test('writers in parallel give every message its own number, and leave no gap', async () => {
  const topic = newTopic();
  const writer = async (w: number) => {
    const batches = Array.from({ length: 10 }, (_, i) => [0, 1, 2].map((j) => message(`writer-${w}`, i * 3 + j)));
    for (const batch of batches) await append(messagesOf(mongo.db), topic, batch);
  };
  await Promise.all([1, 2, 3, 4].map(writer));
  expect(await seqs(topic)).toEqual(Array.from({ length: 120 }, (_, i) => i + 1));
  for (const w of [1, 2, 3, 4]) {
    const own = await messagesOf(mongo.db)
      .find({ topic, key: `writer-${w}` })
      .sort({ seq: 1 })
      .toArray();
    expect(own.map((m) => m.id)).toEqual(Array.from({ length: 30 }, (_, i) => String(i)));
  }
});

test('a process that was stopped past its lease goes on with nothing that another one has taken', async () => {
  const topic = newTopic();
  const old = Array.from({ length: 150 }, (_, i) => message(`key-${i % 8}`, i));
  await append(messagesOf(mongo.db), topic, old);
  const { child, lines, ended } = startChild(opener, { name: 'SIGSTOP', after: 50 }, ['consume', topic, 'g']);
  await until(() => lines.length === 50);

  const bus = createMongoBus({ db: mongo.db, log, timing: TEST_TIMING });
  const got: string[] = [];
  bus.subscribe({ topic, group: 'g', handle: async ({ id }) => void got.push(id) });
  await bus.start();
  await until(() => new Set([...lines, ...got]).size === old.length);
  child.kill('SIGCONT');
  await bus.stop();
  await append(messagesOf(mongo.db), topic, [message('key-0', 150)]);
  await until(() => lines.includes('150'));
  // One message of each lane may have been in the handler's hands.
  expect(lines.slice(50).filter((id) => id !== '150').length).toBeLessThanOrEqual(LANES);
  child.kill('SIGKILL');
  await ended;
});

test('whoever lost a lane can acknowledge nothing in it', async () => {
  const lane = { topic: newTopic(), group: 'g', lane: 0 };
  const offsets = offsetsOf(mongo.db);
  await registerLane(offsets, lane);
  expect(await claimLane(offsets, lane, 'first', 1)).toMatchObject({ offset: 0, attempts: 0 });
  await until(async () => (await claimLane(offsets, lane, 'second', 60_000)) !== undefined);
  expect(await commitOffset(offsets, lane, 'first', 7, 60_000)).toBe(false);
  expect(await claimLane(offsets, lane, 'third', 60_000)).toBeUndefined();
  expect(await commitOffset(offsets, lane, 'second', 5, 60_000)).toBe(true);
  expect(await offsets.findOne(lane)).toMatchObject({ offset: 5, attempts: 0, owner: 'second' });
});

test('a message at which its process dies again and again is set aside', async () => {
  const topic = newTopic();
  const offsets = offsetsOf(mongo.db);
  await append(messagesOf(mongo.db), topic, [message('k', 1), message('k', 2)]);
  const [first] = await messagesOf(mongo.db).find({ topic }).toArray();
  const lane = { topic, group: 'g', lane: first!.lane };
  await registerLane(offsets, lane);
  for (let death = 0; death <= TEST_TIMING.maxAttempts; death++) {
    await until(async () => (await claimLane(offsets, lane, `process ${death}`, 1)) !== undefined);
  }
  const bus = createMongoBus({ db: mongo.db, log, timing: TEST_TIMING });
  const handled: string[] = [];
  const dead: string[] = [];
  bus.subscribe({ topic, group: 'g', handle: async ({ id }) => void handled.push(id) });
  bus.subscribe({
    topic: deadTopic(topic),
    group: 'undertaker',
    handle: async ({ id, headers }) => void dead.push(`${id}: ${headers[DEAD_REASON]}`),
  });
  await bus.start();
  await until(() => handled.length === 1 && dead.length === 1);
  expect({ handled, dead }).toEqual({ handled: ['2'], dead: [expect.stringMatching(/^1: The process died/)] });
  await bus.stop();
});

test('only what is old and handled by every group is deleted, and the numbers go on', async () => {
  const topic = newTopic();
  const messages = messagesOf(mongo.db);
  const offsets = offsetsOf(mongo.db);
  const age = (days: number, seq: object) => {
    const at = new Timestamp({ t: Math.floor(Date.now() / 1000) - days * 86_400, i: 1 });
    return messages.updateMany({ topic, seq }, { $set: { at } });
  };
  await append(
    messages,
    topic,
    Array.from({ length: 10 }, (_, i) => message('k', i)),
  );
  const { lane } = (await messages.findOne({ topic }))!;
  for (const [group, handled] of [
    ['fast', 10],
    ['slow', 6],
  ] as const) {
    await registerLane(offsets, { topic, group, lane });
    await claimLane(offsets, { topic, group, lane }, 'me', 60_000);
    await commitOffset(offsets, { topic, group, lane }, 'me', handled, 60_000);
  }
  await age(8, { $lte: 9 });
  await age(6, { $lte: 2 });
  await deleteHandled(messages, offsets);
  expect(await seqs(topic)).toEqual([1, 2, 7, 8, 9, 10]);
  await commitOffset(offsets, { topic, group: 'slow', lane }, 'me', 10, 60_000);
  await age(60, { $lte: 10 });
  await deleteHandled(messages, offsets);
  expect(await append(messages, topic, [message('k', 10)])).toBe(11);
  expect(await seqs(topic)).toEqual([10, 11]);
});

test('what is handled, fails or waits can be scraped', async () => {
  const topic = newTopic();
  const metrics = createMetrics();
  const bus = createMongoBus({ db: mongo.db, log, metrics, timing: TEST_TIMING });
  bus.subscribe({ topic, group: 'sound', handle: async () => {} });
  bus.subscribe({ topic, group: 'broken', handle: async () => Promise.reject(new Error('always')) });
  await bus.start();
  await bus.publish(topic, [message('k', 1)]);
  const count = (group: string, outcome: string, n: number) =>
    `parley_queue_handled_seconds_count{queue="${topic}",group="${group}",outcome="${outcome}"} ${n}`;
  const expected = [
    count('sound', 'ok', 1),
    count('broken', 'failed', TEST_TIMING.maxAttempts),
    count('broken', 'dead', 1),
    `parley_queue_oldest_age_seconds{queue="${topic}/broken"} 0`,
  ];
  await until(async () => {
    const { text } = await metrics.scrape();
    return expected.every((line) => text.includes(line));
  });
  await bus.stop();
});
