import type { Db } from 'mongodb';
import { unavailable } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { createLoop, type Loop } from '../../loop.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { type Bus, checkMessage, checkName, type Subscriber } from '../bus.ts';
import { ATTEMPTS, countRefused } from '../handling.ts';
import { countAfter, messagesOf, PARTITIONS, readPartition, toReceived } from './log.ts';
import { offsetsOf, readOffset } from './offsets.ts';
import { deleteHandled } from './retention.ts';
import { type MongoBusDependencies, type MongoBusTiming, partitionLoop } from './subscription.ts';
import { openTopic, type Topic } from './topic.ts';

const TIMING: MongoBusTiming = { ...ATTEMPTS, pollMs: 500, leaseMs: 30_000 };
const RETENTION_REST_MS = 3_600_000;

/**
 * The bus in a MongoDB database of its own, migrated by `BUS_MIGRATIONS`. It needs neither transactions nor change
 * streams: a topic is a log without gaps (`log.ts`), and a group acknowledges by its offset in each of the topic's
 * partitions (`offsets.ts`), which it works on under a lease (`partition-worker.ts`).
 */
export function createMongoBus(options: {
  db: Db;
  log: Log;
  metrics?: Pick<Metrics, 'handled' | 'consumer' | 'dead' | 'rejected'>;
  timing?: Partial<MongoBusTiming>;
}): Bus {
  const topics = new Map<string, Topic>();
  const dependencies: MongoBusDependencies = {
    messages: messagesOf(options.db),
    offsets: offsetsOf(options.db),
    timing: { ...TIMING, ...options.timing },
    log: options.log,
    metrics: options.metrics,
    topicOf(name) {
      const topic = topics.get(name) ?? openTopic(dependencies.messages, name);
      topics.set(name, topic);
      return topic;
    },
  };
  const loops = new Set([watchLoop(dependencies, topics), retentionLoop(dependencies)]);
  let running = false;

  return {
    name: 'bus',
    async publish(topic, batch) {
      checkName('topic', topic);
      for (const message of batch) checkMessage(message);
      if (!running) throw unavailable('The bus is not running.');
      if (batch.length > 0) await dependencies.topicOf(topic).publish(batch);
      countRefused(options.metrics, topic, batch);
    },
    subscribe(subscriber) {
      const subscription = subscribePartitions(dependencies, subscriber);
      for (const loop of subscription.loops) {
        loops.add(loop);
        if (running) loop.start();
      }
      return {
        async close() {
          for (const loop of subscription.loops) loops.delete(loop);
          await subscription.close();
        },
      };
    },
    lag: (topic, group) => lag(dependencies, topic, group),
    peek: (topic, group, limit) => peek(dependencies, topic, group, limit),
    async start() {
      running = true;
      for (const loop of loops) loop.start();
    },
    async ready() {
      if (!running) throw new Error('The bus is not running');
      await options.db.command({ ping: 1 });
    },
    async stop() {
      running = false;
      await Promise.all([...loops].map((loop) => loop.stop()));
    },
  };
}

function subscribePartitions(dependencies: MongoBusDependencies, subscriber: Subscriber) {
  const { topic, group } = subscriber;
  checkName('topic', topic);
  checkName('group', group);
  const loops = partitions((partition) => partitionLoop(dependencies, subscriber, partition));
  const unsubscribe = dependencies.topicOf(topic).onNews(() => {
    for (const loop of loops) loop.wake();
  });
  dependencies.metrics?.consumer(topic, group, () => lag(dependencies, topic, group));
  return {
    loops,
    async close() {
      unsubscribe();
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

async function lag({ messages, offsets }: MongoBusDependencies, topic: string, group: string): Promise<number> {
  const counts = partitions(async (partition) => {
    const offset = await readOffset(offsets, { topic, group, partition });
    return countAfter(messages, { topic, partition }, offset);
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

async function peek({ messages, offsets }: MongoBusDependencies, topic: string, group: string, limit: number) {
  const waiting = partitions(async (partition) => {
    const offset = await readOffset(offsets, { topic, group, partition });
    return readPartition(messages, { topic, partition }, offset, limit);
  });
  const all = (await Promise.all(waiting)).flat().sort((a, b) => a.seq - b.seq);
  return all.slice(0, limit).map((message) => toReceived(message, 1));
}

const partitions = <T>(of: (partition: number) => T): T[] =>
  Array.from({ length: PARTITIONS }, (_, partition) => of(partition));

/** Notices messages that other processes publish. */
const watchLoop = ({ timing, log }: MongoBusDependencies, topics: Map<string, Topic>): Loop =>
  createLoop({
    name: 'watch of the bus',
    restMs: timing.pollMs,
    log,
    async round() {
      for (const topic of topics.values()) await topic.look();
    },
  });

const retentionLoop = ({ messages, offsets, log }: MongoBusDependencies): Loop =>
  createLoop({
    name: 'retention of the bus',
    restMs: RETENTION_REST_MS,
    log,
    round: (signal) => deleteHandled(messages, offsets, signal),
  });
