import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BusConfig, createLog, createMetrics, within } from '@parley/runtime';
import { type Bus, openBus } from '@parley/runtime/bus';
import { randomId } from '@parley/runtime/rpc';
import { startEngine } from '../../deploy/embedded/src/engine/start-engine.ts';
import { startKafka } from '../../deploy/stack/kafka.ts';
import { median, quantile } from './measure.ts';
import type { Bench, Table } from './table.ts';

const MESSAGES = 2_000;
/** Messages per publish, and publishes in flight, like the relay of a busy service. */
const BATCH = 20;
const PUBLISHERS = 10;
const KEYS = 100;
const BYTES = 300;
const SINGLE = 100;
const PAUSE_MS = 20;
const WITHIN_MS = 120_000;

/** The throughput and latency of both buses. */
export const bus: Bench = { name: 'bus', run };

interface Measured {
  /** Messages published, acknowledged and handled per second. */
  rate: number;
  /** From the call to `publish` until the handler runs, one message at a time. */
  latencies: number[];
}

async function run(): Promise<Table> {
  const directory = await mkdtemp(join(tmpdir(), 'parley-bench-bus-'));
  try {
    const mongo = await onMongo(directory);
    const kafka = await onKafka(directory).catch((error: Error) => error);
    return {
      about: `Two members of a bus: one publishes, one handles. Rate: ${MESSAGES} messages of ${BYTES} bytes, ${KEYS} keys, ${PUBLISHERS} publishers with batches of ${BATCH}, until the last message is handled. Latency: from publish to handler, ${SINGLE} sequential messages. Ratios are to the bus in MongoDB.`,
      head: ['bus', 'messages/s', 'ratio', 'p50, ms', 'ratio of the time', 'p95, ms'],
      rows: [
        rowOf('MongoDB', mongo, mongo),
        kafka instanceof Error
          ? [`Kafka: ${kafka.message.split('\n')[0]}`, '', '', '', '', '']
          : rowOf('Kafka', kafka, mongo),
      ],
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const rowOf = (name: string, { rate, latencies }: Measured, baseline: Measured): string[] => [
  name,
  rate.toFixed(0),
  (rate / baseline.rate).toFixed(2),
  median(latencies).toFixed(1),
  (median(latencies) / median(baseline.latencies)).toFixed(2),
  quantile(latencies, 0.95).toFixed(1),
];

async function onMongo(dataDir: string): Promise<Measured> {
  const engine = await startEngine({ dataDir });
  try {
    return await measure({ mongodb: { uri: engine.uri, database: 'bus' } });
  } finally {
    await engine.stop();
  }
}

async function onKafka(directory: string): Promise<Measured> {
  const server = await startKafka({ dataDir: join(directory, 'kafka') });
  try {
    return await measure({ kafka: { brokers: [server.brokers], clientId: 'bench' } });
  } finally {
    await server.stop();
  }
}

async function measure(config: BusConfig): Promise<Measured> {
  const log = createLog('bench', 'silent');
  const [publisher, handler] = [openBus(config, log, createMetrics()), openBus(config, log, createMetrics())];
  const received = listener(handler, 'bench');
  await Promise.all([publisher.start(), handler.start()]);
  try {
    // Warm-up: the first messages wait for connections, topics and groups.
    await received.all(KEYS, () => publisher.publish('bench', messages(KEYS)));
    const rate = await rateOf(publisher, received);
    return { rate, latencies: await latenciesOf(publisher, received) };
  } finally {
    await Promise.all([publisher.stop(), handler.stop()]);
  }
}

type Listener = ReturnType<typeof listener>;

function listener(bus: Bus, topic: string) {
  let count = 0;
  let wanted = Number.POSITIVE_INFINITY;
  let done = () => {};
  bus.subscribe({
    topic,
    group: 'bench',
    async handle() {
      if (++count >= wanted) done();
    },
  });
  return {
    /** Resolves when that many messages have arrived since the work began. */
    async all(messages: number, work: () => Promise<unknown>): Promise<void> {
      const handled = new Promise<void>((resolve) => {
        done = resolve;
      });
      wanted = count + messages;
      await Promise.all([work(), within(WITHIN_MS, handled, 'messages did not come')]);
    },
  };
}

async function rateOf(bus: Bus, received: Listener): Promise<number> {
  let left = MESSAGES;
  const publisher = async () => {
    while (left > 0) {
      left -= BATCH;
      await bus.publish('bench', messages(BATCH));
    }
  };
  const began = performance.now();
  await received.all(MESSAGES, () => Promise.all(Array.from({ length: PUBLISHERS }, publisher)));
  return (MESSAGES / (performance.now() - began)) * 1000;
}

async function latenciesOf(bus: Bus, received: Listener): Promise<number[]> {
  const found: number[] = [];
  for (let i = 0; i < SINGLE; i++) {
    const began = performance.now();
    await received.all(1, () => bus.publish('bench', messages(1)));
    found.push(performance.now() - began);
    await sleep(PAUSE_MS);
  }
  return found;
}

const messages = (count: number) =>
  Array.from({ length: count }, () => ({
    key: `key-${randomInt(KEYS)}`,
    id: randomId(),
    value: Buffer.alloc(BYTES, 1),
  }));
