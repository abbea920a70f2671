import { setTimeout as sleep } from 'node:timers/promises';
import type { Consumer } from 'kafkajs';
import type { Log } from '../log.ts';
import { within } from '../process.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { BusMessage, Subscriber } from './bus.ts';
import type { AttemptTiming, Handling } from './handling.ts';
import { FOR_EVER, type KafkaClient } from './kafka-client.ts';
import { type Place, workThrough } from './kafka-lane.ts';
import { createLanes, type KafkaLanes } from './kafka-lanes.ts';
import { type KafkaSession, watchSession } from './kafka-session.ts';
import { PARTITIONS } from './kafka-topics.ts';

export interface KafkaBusTiming extends AttemptTiming {
  /**
   * How long a process that died keeps its partitions from the others; a handler may take half of it. Brokers refuse less
   * than 6 seconds unless told otherwise.
   */
  sessionMs: number;
}

export interface KafkaBusParts {
  client: KafkaClient;
  timing: KafkaBusTiming;
  log: Log;
  metrics?: Pick<Metrics, 'handled' | 'queue'> | undefined;
  ensureTopic(topic: string): Promise<void>;
  /** Publishes what has passed the checks, or was received. */
  publish(topic: string, messages: BusMessage[]): Promise<void>;
}

export interface ConsumerWork extends Pick<KafkaBusParts, 'client' | 'timing' | 'log'> {
  topic: string;
  groupId: string;
  handling: Handling;
  /** How long an attempt may take. */
  limitMs: number;
  signal: AbortSignal;
}

const HEARTBEAT_MS = 1_000;
const FETCH_WAIT_MS = 250;
const COMMIT_WITHIN_MS = 3_000;
const LEAVE_WITHIN_MS = 3_000;
const LOOK_AFTER_MS = 1_000;
/**
 * Sessions without being a member, until a consumer is given up. To join takes one at most, while the others' handlers
 * end, and one more where another member dies meanwhile.
 */
const MAX_SESSIONS_AWAY = 3;

/** Kafka's own name for a group; no name of ours has a slash. A group of ours is one of Kafka's for each topic. */
export const groupIdOf = ({ topic, group }: Pick<Subscriber, 'topic' | 'group'>) => `${group}/${topic}`;

/** The life of one consumer: resolves when the signal is aborted, rejects when it has crashed or was given up. */
export async function keepConsuming(work: ConsumerWork, onSession: (session: KafkaSession) => void): Promise<void> {
  const { topic, groupId, timing } = work;
  const lanes: KafkaLanes = createLanes(async ({ batch, commitOffsetsIfNecessary }, stopping) => {
    const { partition, messages } = batch;
    const isMember = () => session.lasts(work.limitMs);
    const commit = async ({ offset, attempts }: Place) => {
      const place = { partition, offset, metadata: attempts > 0 ? String(attempts) : '' };
      const committed = commitOffsetsIfNecessary({ topics: [{ topic, partitions: [place] }] });
      await within(COMMIT_WITHIN_MS, committed, 'Kafka did not answer');
    };
    await workThrough({ ...work, isMember, commit, stopping }, messages, await beginnings.take(partition));
  });
  const consumer = work.client.patient.consumer({
    groupId,
    partitionAssigners: [lanes.assigner],
    allowAutoTopicCreation: false,
    sessionTimeout: timing.sessionMs,
    rebalanceTimeout: timing.sessionMs,
    heartbeatInterval: HEARTBEAT_MS,
    maxWaitTimeInMs: FETCH_WAIT_MS,
    retry: { ...FOR_EVER, maxRetryTime: 1_000, restartOnFailure: async () => false },
  });
  const beginnings = watchBeginnings(work, consumer);
  // Before the session hears of it, which counts while the lanes are open.
  consumer.on(consumer.events.GROUP_JOIN, lanes.open);
  const session = watchSession(consumer, timing.sessionMs, lanes.areOpen);
  onSession(session);
  const crashed = crashOf(consumer);
  const started = run(consumer, topic, lanes);
  try {
    await Promise.race([lookAfter(work, session), crashed, started.then(() => crashed)]);
  } finally {
    await leave(work, consumer, lanes, started);
  }
}

/** With a broker that is away it goes on trying for ever, and that it resolves does not mean that the group has taken it. */
async function run(consumer: Consumer, topic: string, { eachBatch }: KafkaLanes) {
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    eachBatchAutoResolve: false,
    partitionsConsumedConcurrently: PARTITIONS,
    eachBatch,
  });
}

/** Rejects when kafkajs has given the consumer up, which it tells nobody else. */
const crashOf = (consumer: Consumer) =>
  new Promise<never>((_, reject) => {
    consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
  });

/**
 * Resolves when the signal is aborted, rejects when the group has not counted on the consumer for long. kafkajs never
 * joins again where its request to join has failed after the group had forgotten it, or has lost the answer with its
 * partitions, or where the coordinator is another broker since and the former one is away: it fetches for ever.
 */
async function lookAfter({ timing, groupId, signal }: ConsumerWork, session: KafkaSession) {
  const patienceMs = MAX_SESSIONS_AWAY * timing.sessionMs;
  while (!signal.aborted) {
    if (session.awayMs() > patienceMs) {
      throw new Error(
        `The group ${groupId} has not counted on this consumer for ${patienceMs / 1000} s. Another takes its place.`,
      );
    }
    await sleep(LOOK_AFTER_MS, undefined, { signal }).catch(() => {});
  }
}

/**
 * Tells the group that its partitions are free, so that nobody waits for the end of the session. Where Kafka does not
 * answer, that happens when it does: nobody waits for it, and the lanes are closed.
 *
 * @param started kafkajs does not stop a consumer that has not joined yet, it only takes its connections away.
 */
async function leave(work: ConsumerWork, consumer: Consumer, lanes: KafkaLanes, started: Promise<void>) {
  const { log, limitMs, groupId } = work;
  const late = (err: unknown) => log.warn({ err, group: groupId }, 'a consumer was left behind');
  await within(limitMs + LEAVE_WITHIN_MS, lanes.close(), 'its handlers are still running').catch(late);
  const left = started.catch(() => {}).then(() => consumer.disconnect());
  await within(LEAVE_WITHIN_MS, left, 'Kafka did not answer').catch(late);
}

/** What the group was told of each partition, for its first batch after this process has joined; fetched when needed. */
function watchBeginnings({ client, log, topic, groupId }: ConsumerWork, consumer: Consumer) {
  let places: Promise<Map<number, Place>> | undefined;
  const taken = new Set<number>();
  consumer.on(consumer.events.GROUP_JOIN, () => {
    places = undefined;
    taken.clear();
  });
  return {
    async take(partition: number): Promise<Place | undefined> {
      if (taken.has(partition)) return undefined;
      taken.add(partition);
      places ??= toldPlaces(client, topic, groupId).catch((err) => {
        log.warn({ err, group: groupId }, 'attempts of other processes are not counted');
        return new Map();
      });
      return (await places).get(partition);
    },
  };
}

async function toldPlaces(client: KafkaClient, topic: string, groupId: string): Promise<Map<number, Place>> {
  const told = await client.ask((admin) => admin.fetchOffsets({ groupId, topics: [topic] }));
  const partitions = told.flatMap((t) => t.partitions);
  return new Map(partitions.map((p) => [p.partition, { offset: p.offset, attempts: Number(p.metadata ?? 0) }]));
}
