import { setTimeout as sleep } from 'node:timers/promises';
import { type Admin, Kafka, logLevel } from 'kafkajs';
import { unavailable } from '../errors.ts';
import type { Log } from '../log.ts';
import { within } from '../process.ts';
import { kafkaLog } from './kafka-log.ts';

export interface KafkaConfig {
  /** `host:port` of one broker or more; the others are found through them. */
  brokers: string[];
  /** What Kafka's own logs and quotas call this process. */
  clientId: string;
}

export interface KafkaClient {
  /** For producers and consumers: it never gives up. */
  readonly patient: Kafka;
  /**
   * Short work with an admin client of its own, so that no state of an earlier failure is in the way.
   *
   * @throws AppError `unavailable` that names the brokers, after two seconds or `ms`.
   */
  ask<T>(work: (admin: Admin) => Promise<T>, ms?: number): Promise<T>;
  /**
   * Resolves when Kafka answers for a group, which not every broker can, however long that takes; or when the signal is
   * aborted.
   */
  reached(groupId: string, signal: AbortSignal): Promise<void>;
}

const ASK_MS = 1_800;
const REST_MS = 1_000;
/** Where kafkajs ever gives up, it loses what it was about to send, or leaves its group. */
export const FOR_EVER = {
  retries: Number.MAX_SAFE_INTEGER,
  initialRetryTime: 100,
  maxRetryTime: 2_000,
  multiplier: 2,
  factor: 0.2,
};

export function openKafka({ brokers, clientId }: KafkaConfig, log: Log): KafkaClient {
  const common = { brokers, clientId, logLevel: logLevel.WARN, logCreator: kafkaLog(log) };
  const patient = new Kafka({ ...common, connectionTimeout: 2_000, requestTimeout: 10_000, retry: FOR_EVER });
  const hasty = new Kafka({
    ...common,
    logLevel: logLevel.NOTHING,
    connectionTimeout: 1_000,
    requestTimeout: 1_500,
    // Each broker is asked once.
    retry: { ...FOR_EVER, retries: brokers.length - 1 },
  });
  const silence = `Kafka does not answer at ${brokers.join(', ')}.`;

  async function ask<T>(work: (admin: Admin) => Promise<T>, ms = ASK_MS): Promise<T> {
    const admin = hasty.admin();
    const answer = begin(admin).then(() => work(admin));
    try {
      await within(ms, answer, 'too late');
      return await answer;
    } catch (error) {
      throw unavailable(silence, error);
    } finally {
      // Not awaited: it waits for requests that a broker which hangs never answers.
      admin.disconnect().catch(() => {});
    }
  }

  return {
    patient,
    ask,
    async reached(groupId, signal) {
      let told = false;
      const answers = () =>
        ask((admin) => admin.describeGroups([groupId])).then(
          () => true,
          () => false,
        );
      while (!signal.aborted && !(await answers())) {
        if (!told) log.warn({ group: groupId }, `${silence} Waiting for it.`);
        told = true;
        await sleep(REST_MS, undefined, { signal }).catch(() => {});
      }
    },
  };
}

/** What an admin client asks for later it looks up in the cluster's description, which it does not fetch by itself. */
async function begin(admin: Admin) {
  await admin.connect();
  const { brokers } = await admin.describeCluster();
  if (brokers.length === 0) throw new Error('no broker is ready');
}
