import { setTimeout as sleep } from 'node:timers/promises';
import { type Admin, Kafka, logLevel } from 'kafkajs';
import { unavailable } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { within } from '../../process.ts';
import { kafkaLog } from './log.ts';

export interface KafkaConfig {
  /** `host:port` of one or more brokers; the others are discovered through them. */
  brokers: string[];
  /** The name of this process in Kafka's logs and quotas. */
  clientId: string;
}

export interface KafkaClient {
  /** For producers and consumers: never gives up. */
  readonly patient: Kafka;
  /**
   * Does short work with its own admin client, so that no state of an earlier failure interferes.
   *
   * @throws AppError `unavailable` that names the brokers, after two seconds or `ms`.
   */
  ask<T>(work: (admin: Admin) => Promise<T>, ms?: number): Promise<T>;
  /**
   * Resolves when Kafka answers for a group, however long that takes (not every broker can), or when the signal aborts.
   */
  reached(groupId: string, signal: AbortSignal): Promise<void>;
}

const ASK_MS = 1_800;
const REST_MS = 1_000;
/**
 * When kafkajs gives up, it loses what it was about to send, or leaves its group ("everything acknowledged is delivered
 * in order, even if the broker hangs for 15 seconds").
 */
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
    // Ask each broker once.
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
      // Not awaited: it waits for requests that a hung broker never answers.
      admin.disconnect().catch(() => {});
    }
  }

  return {
    patient,
    ask,
    async reached(groupId, signal) {
      let warned = false;
      const answers = () =>
        ask((admin) => admin.describeGroups([groupId])).then(
          () => true,
          () => false,
        );
      while (!signal.aborted && !(await answers())) {
        if (!warned) log.warn({ group: groupId }, `${silence} Waiting for it.`);
        warned = true;
        await sleep(REST_MS, undefined, { signal }).catch(() => {});
      }
    },
  };
}

/** kafkajs's admin client finds the brokers in the cluster's description, but does not fetch it by itself. */
async function begin(admin: Admin) {
  await admin.connect();
  const { brokers } = await admin.describeCluster();
  if (brokers.length === 0) throw new Error('no broker is ready');
}
