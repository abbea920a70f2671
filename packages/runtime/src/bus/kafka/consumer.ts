import { setTimeout as sleep } from 'node:timers/promises';
import type { Consumer, KafkaMessage } from 'kafkajs';
import type { Log } from '../../log.ts';
import { within } from '../../process.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { BusMessage, Subscriber } from '../bus.ts';
import type { AttemptTiming, Handling } from '../handling.ts';
import { type PartitionMessage, type Position, workThrough } from '../partition.ts';
import { type Assignment, createAssignment } from './assignment.ts';
import { FOR_EVER, type KafkaClient } from './client.ts';
import { toReceived } from './message.ts';
import { type KafkaSession, watchSession } from './session.ts';
import { PARTITIONS, type Topics } from './topics.ts';

export interface KafkaBusTiming extends AttemptTiming {
  /**
   * How long a dead process keeps its partitions from the others; a handler may take half of it. By default, brokers
   * refuse less than 6 seconds.
   */
  sessionMs: number;
}

export interface KafkaBusDependencies {
  client: KafkaClient;
  timing: KafkaBusTiming;
  log: Log;
  metrics?: Pick<Metrics, 'handled' | 'consumer' | 'dead' | 'rejected'> | undefined;
  topics: Topics;
  /** Publishes messages that passed the checks or were received. */
  publish(topic: string, messages: BusMessage[]): Promise<void>;
}

export interface ConsumerWork extends Pick<KafkaBusDependencies, 'client' | 'timing' | 'log'> {
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
 * How many sessions a consumer may spend outside its group before it is given up. Joining takes at most one, while the
 * others' handlers finish, and one more if another member dies meanwhile.
 */
const MAX_SESSIONS_LOST = 3;

/** The group's name in Kafka, where it is one group for each topic. Our own names have no slash. */
export const groupIdOf = ({ topic, group }: Pick<Subscriber, 'topic' | 'group'>) => `${group}/${topic}`;

/** Runs one consumer. Resolves when the signal aborts; rejects when the consumer has crashed or was given up. */
export async function keepConsuming(work: ConsumerWork, onSession: (session: KafkaSession) => void): Promise<void> {
  const { topic, groupId, timing } = work;
  const assignment: Assignment = createAssignment(async ({ batch, commitOffsetsIfNecessary }, stopping) => {
    const { partition } = batch;
    const mayBegin = async () => {
      if (!session.lasts(work.limitMs)) throw new Error('The group may count on another process.');
      return true;
    };
    const commit = async ({ offset, attempts }: Position) => {
      const position = { partition, offset: String(offset), metadata: attempts > 0 ? String(attempts) : '' };
      const committed = commitOffsetsIfNecessary({ topics: [{ topic, partitions: [position] }] });
      await within(COMMIT_WITHIN_MS, committed, 'Kafka did not answer');
      return true;
    };
    const messages = batch.messages.map(toPartitionMessage);
    const committed = await committedBefore.take(partition);
    const isSame = committed && committed.offset === messages[0]?.offset;
    const before = committed && (isSame ? committed.attempts : 0);
    await workThrough({ ...work, mayBegin, commit, stopping }, messages, before);
  });
  const consumer = work.client.patient.consumer({
    groupId,
    partitionAssigners: [assignment.assigner],
    allowAutoTopicCreation: false,
    sessionTimeout: timing.sessionMs,
    rebalanceTimeout: timing.sessionMs,
    heartbeatInterval: HEARTBEAT_MS,
    maxWaitTimeInMs: FETCH_WAIT_MS,
    retry: { ...FOR_EVER, maxRetryTime: 1_000, restartOnFailure: async () => false },
  });
  const committedBefore = watchCommitted(work, consumer);
  // Before the session's own listener, which counts only while the assignment is open.
  consumer.on(consumer.events.GROUP_JOIN, assignment.open);
  const session = watchSession(consumer, timing.sessionMs, assignment.isOpen);
  onSession(session);
  const crashed = crashOf(consumer);
  const started = run(consumer, topic, assignment);
  try {
    await Promise.race([superviseMembership(work, session), crashed, started.then(() => crashed)]);
  } finally {
    await leave(work, consumer, assignment, started);
  }
}

/** Retries forever without a broker. Resolving does not mean that the consumer has joined its group. */
async function run(consumer: Consumer, topic: string, { eachBatch }: Assignment) {
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    eachBatchAutoResolve: false,
    partitionsConsumedConcurrently: PARTITIONS,
    eachBatch,
  });
}

/**
 * Rejects when kafkajs has given up the consumer, which only this event reports ("a consumer that Kafka refuses ...").
 */
const crashOf = (consumer: Consumer) =>
  new Promise<never>((_, reject) => {
    consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
  });

/**
 * Resolves when the signal aborts; rejects when the consumer has been outside its group for too long. kafkajs fetches
 * forever without rejoining if its join request failed after the group had forgotten it, if the response with its
 * partitions was lost, or if the former coordinator is unavailable (`membership.stack.test.ts` has a test for each).
 */
async function superviseMembership({ timing, groupId, signal }: ConsumerWork, session: KafkaSession) {
  const patienceMs = MAX_SESSIONS_LOST * timing.sessionMs;
  while (!signal.aborted) {
    if (session.lostMs() > patienceMs) {
      throw new Error(
        `The group ${groupId} has not counted on this consumer for ${patienceMs / 1000} s. Another takes its place.`,
      );
    }
    await sleep(LOOK_AFTER_MS, undefined, { signal }).catch(() => {});
  }
}

/**
 * Leaves the group, so that the others need not wait for the session to end. If Kafka does not answer, the consumer
 * leaves once it does; nobody waits for that, because nothing more is handled.
 *
 * @param started kafkajs does not stop a consumer that has not joined yet, but only closes its connections; the
 * consumer would still join ("a subscription closed while it joins takes no partition away").
 */
async function leave(work: ConsumerWork, consumer: Consumer, assignment: Assignment, started: Promise<void>) {
  const { log, limitMs, groupId } = work;
  const late = (err: unknown) => log.warn({ err, group: groupId }, 'a consumer was left behind');
  await within(limitMs + LEAVE_WITHIN_MS, assignment.close(), 'its handlers are still running').catch(late);
  const left = started.catch(() => {}).then(() => consumer.disconnect());
  await within(LEAVE_WITHIN_MS, left, 'Kafka did not answer').catch(late);
}

/** The committed position of each partition when this process joined, for its first batch. Fetched on demand. */
function watchCommitted({ client, log, topic, groupId }: ConsumerWork, consumer: Consumer) {
  let positions: Promise<Map<number, Position>> | undefined;
  const taken = new Set<number>();
  consumer.on(consumer.events.GROUP_JOIN, () => {
    positions = undefined;
    taken.clear();
  });
  return {
    async take(partition: number): Promise<Position | undefined> {
      if (taken.has(partition)) return undefined;
      taken.add(partition);
      positions ??= fetchCommitted(client, topic, groupId).catch((err) => {
        log.warn({ err, group: groupId }, 'attempts of other processes are not counted');
        return new Map();
      });
      return (await positions).get(partition);
    },
  };
}

async function fetchCommitted(client: KafkaClient, topic: string, groupId: string): Promise<Map<number, Position>> {
  const committed = await client.ask((admin) => admin.fetchOffsets({ groupId, topics: [topic] }));
  const partitions = committed.flatMap((t) => t.partitions);
  const positionOf = ({ offset, metadata }: (typeof partitions)[number]): Position => ({
    offset: BigInt(offset),
    attempts: Number(metadata ?? 0) || 0,
  });
  return new Map(partitions.map((p) => [p.partition, positionOf(p)]));
}

const toPartitionMessage = (message: KafkaMessage): PartitionMessage => ({
  offset: BigInt(message.offset),
  received: (attempt) => toReceived(message, attempt),
});
