import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Document, MongoClient, Timestamp } from 'mongodb';
import { createLog } from '../../log.ts';
import { type Mongo, openMongo } from '../../mongo/connect.ts';
import { createMetrics } from '../../telemetry/metrics.ts';
import { freshDatabase, until } from '../../testing/index.ts';
import { type BusMessage, DEAD_REASON, deadTopic } from '../bus.ts';
import { busContract } from '../testing/contract.ts';
import { TEST_TIMING } from '../testing/open-mongo.ts';
import { startChild } from '../testing/tools.ts';
import { append, BUS_MIGRATIONS, messagesOf, PARTITIONS } from './log.ts';
import { createMongoBus } from './mongo-bus.ts';
import { claimPartition, commitPosition, offsetsOf, registerPartition } from './offsets.ts';
import { deleteHandled } from './retention.ts';

const database = freshDatabase();
/** Retention looks at every topic of its database, so those of the contract's tests are elsewhere. */
const contract = freshDatabase();
const openerOn = ({ uri, name }: typeof database) => ({
  module: new URL('../testing/open-mongo.ts', import.meta.url).href,
  argument: `${uri} ${name}`,
});
const opener = openerOn(database);

busContract('the bus in MongoDB', async () => ({ opener: openerOn(contract), close: contract.drop }));

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

test('parallel writers give every message its own number, and leave no gap', async () => {
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

test('a process suspended past its lease handles nothing that another one has taken over', async () => {
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
  // One message of each partition may have been in progress.
  expect(lines.slice(50).filter((id) => id !== '150').length).toBeLessThanOrEqual(PARTITIONS);
  child.kill('SIGKILL');
  await ended;
});

test('a process that lost a partition can acknowledge nothing in it', async () => {
  const partition = { topic: newTopic(), group: 'g', partition: 0 };
  const offsets = offsetsOf(mongo.db);
  await registerPartition(offsets, partition);
  expect(await claimPartition(offsets, partition, 'first', 1)).toMatchObject({ offset: 0, attempts: 0 });
  await until(async () => (await claimPartition(offsets, partition, 'second', 60_000)) !== undefined);
  expect(await commitPosition(offsets, partition, 'first', { offset: 8n, attempts: 0 }, 60_000)).toBe(false);
  expect(await claimPartition(offsets, partition, 'third', 60_000)).toBeUndefined();
  expect(await commitPosition(offsets, partition, 'second', { offset: 6n, attempts: 0 }, 60_000)).toBe(true);
  expect(await offsets.findOne(partition)).toMatchObject({ offset: 5, attempts: 0, owner: 'second' });
});

test('a message that kills its process again and again becomes a dead letter', async () => {
  const topic = newTopic();
  const offsets = offsetsOf(mongo.db);
  await append(messagesOf(mongo.db), topic, [message('k', 1), message('k', 2)]);
  const [first] = await messagesOf(mongo.db).find({ topic }).toArray();
  const partition = { topic, group: 'g', partition: first!.partition };
  await registerPartition(offsets, partition);
  for (let attempts = 1; attempts <= TEST_TIMING.maxAttempts; attempts++) {
    const owner = `process ${attempts}`;
    await until(async () => (await claimPartition(offsets, partition, owner, 1)) !== undefined);
    await commitPosition(offsets, partition, owner, { offset: 1n, attempts }, 1);
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

const setAge = (topic: string, days: number, seq: object) => {
  const at = new Timestamp({ t: Math.floor(Date.now() / 1000) - days * 86_400, i: 1 });
  return messagesOf(mongo.db).updateMany({ topic, seq }, { $set: { at } });
};

test('dead messages are kept for thirty days, handled or not', async () => {
  const [topic, messages, offsets] = [deadTopic(newTopic()), messagesOf(mongo.db), offsetsOf(mongo.db)];
  await append(messages, topic, [message('k', 1), message('k', 2), message('k', 3)]);
  const { partition } = (await messages.findOne({ topic }))!;
  await registerPartition(offsets, { topic, group: 'undertaker', partition });
  await setAge(topic, 29, { $lte: 2 });
  await deleteHandled(messages, offsets);
  expect(await seqs(topic)).toEqual([1, 2, 3]);
  await setAge(topic, 31, { $lte: 1 });
  await deleteHandled(messages, offsets);
  expect(await seqs(topic)).toEqual([2, 3]);
});

test('retention reads one page of a partition at a time, by an index, however much is kept', async () => {
  const [topic, messages] = [newTopic(), messagesOf(mongo.db)];
  const batch = Array.from({ length: 2_500 }, (_, i) => message('k', i));
  await append(messages, topic, batch);
  await setAge(topic, 8, { $lte: 1_100 });
  const watching = new MongoClient(database.uri, { monitorCommands: true });
  const commands: Document[] = [];
  watching.on('commandStarted', ({ command }) => void commands.push(command));
  await deleteHandled(messagesOf(watching.db(database.name)), offsetsOf(watching.db(database.name)));
  await watching.close();
  expect(await seqs(topic)).toEqual(Array.from({ length: 1_400 }, (_, i) => 1_101 + i));
  const explained = commands.filter((c) => c['distinct'] || c['find'] || c['aggregate'] || c['delete']);
  for (const { $db, lsid, ...command } of explained) {
    const plan = JSON.stringify(await mongo.db.command({ explain: command, verbosity: 'executionStats' }));
    expect(plan).not.toContain('COLLSCAN');
    for (const [, examined] of plan.matchAll(/"total(?:Keys|Docs)Examined":(\d+)/g))
      expect(Number(examined)).toBeLessThanOrEqual(1_000);
  }
  expect(explained.filter((c) => c['delete']).length).toBeGreaterThanOrEqual(2);
});

test('a group resumes at its position, and counts on where it failed', async () => {
  const topic = newTopic();
  await append(messagesOf(mongo.db), topic, [message('k', 1), message('k', 2), message('k', 3)]);
  const { partition } = (await messagesOf(mongo.db).findOne({ topic }))!;
  // It was pausing after two failures of the second message.
  const stored = { topic, group: 'g', partition, offset: 1, attempts: 2, until: new Date() };
  await offsetsOf(mongo.db).insertOne({ _id: `${topic}/g/${partition}`, ...stored });
  const bus = createMongoBus({ db: mongo.db, log, timing: TEST_TIMING });
  const handled: string[] = [];
  bus.subscribe({
    topic,
    group: 'g',
    handle: async ({ id, attempt }) => void handled.push(`${id} attempt ${attempt}`),
  });
  await bus.start();
  await until(() => handled.length === 2);
  expect(handled).toEqual(['2 attempt 3', '3 attempt 1']);
  await bus.stop();
});

test('only old messages that every group has handled are deleted, and the numbers continue', async () => {
  const topic = newTopic();
  const messages = messagesOf(mongo.db);
  const offsets = offsetsOf(mongo.db);
  const age = (days: number, seq: object) => setAge(topic, days, seq);
  await append(
    messages,
    topic,
    Array.from({ length: 10 }, (_, i) => message('k', i)),
  );
  const { partition } = (await messages.findOne({ topic }))!;
  for (const [group, handled] of [
    ['fast', 10],
    ['slow', 6],
  ] as const) {
    await registerPartition(offsets, { topic, group, partition });
    await claimPartition(offsets, { topic, group, partition }, 'me', 60_000);
    await commitPosition(
      offsets,
      { topic, group, partition },
      'me',
      { offset: BigInt(handled + 1), attempts: 0 },
      60_000,
    );
  }
  await age(8, { $lte: 4 });
  await deleteHandled(messages, offsets);
  expect(await seqs(topic)).toEqual([5, 6, 7, 8, 9, 10]);
  await age(8, { $lte: 9 });
  await deleteHandled(messages, offsets);
  expect(await seqs(topic)).toEqual([7, 8, 9, 10]);
  await commitPosition(offsets, { topic, group: 'slow', partition }, 'me', { offset: 11n, attempts: 0 }, 60_000);
  await age(60, { $lte: 10 });
  await deleteHandled(messages, offsets);
  expect(await append(messages, topic, [message('k', 10)])).toBe(11);
  expect(await seqs(topic)).toEqual([10, 11]);
});

test('handled, failed and waiting messages can be scraped', async () => {
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
    `parley_bus_lag_messages{topic="${topic}",group="broken"} 0`,
    `parley_bus_dead_total{topic="${topic}",group="broken"} 1`,
    `parley_bus_dead_total{topic="${topic}",group="sound"} 0`,
  ];
  await until(async () => {
    const { text } = await metrics.scrape();
    return expected.every((line) => text.includes(line));
  });
  await bus.stop();
});
