import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionOptions } from 'node:tls';
import { type Admin, Kafka, logLevel, type SASLOptions } from 'kafkajs';
import { unavailable } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { within } from '../../process.ts';
import { kafkaLog } from './log.ts';

export interface KafkaConfig {
  /** `host:port` of one or more brokers; the others are discovered through them. */
  brokers: string[];
  /** The name of this process in Kafka's logs and quotas. */
  clientId: string;
  /** Encrypts connections, and checks the brokers' certificates. Default: no. */
  tls?: boolean | ConnectionOptions | undefined;
  /** How to sign in; default: not at all. */
  sasl?: { mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; username: string; password: string } | undefined;
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

export function openKafka({ brokers, clientId, tls, sasl }: KafkaConfig, log: Log): KafkaClient {
  // Each mechanism has a type of its own in kafkajs, with the same fields.
  const security = { ...(tls && { ssl: tls }), ...(sasl && { sasl: sasl as SASLOptions }) };
  const common = { brokers, clientId, ...security, logLevel: logLevel.WARN, logCreator: kafkaLog(log) };
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
      throw unavailable(refusalOf(error, brokers) ?? silence, error);
    } finally {
      // Not awaited: it waits for requests that a hung broker never answers.
      admin.disconnect().catch(() => {});
    }
  }

  return {
    patient,
    ask,
    async reached(groupId, signal) {
      let warned = '';
      const failure = () =>
        ask((admin) => admin.describeGroups([groupId])).then(
          () => undefined,
          ({ message }: Error) => message,
        );
      for (let message = await failure(); message && !signal.aborted; message = await failure()) {
        if (message !== warned) log.warn({ group: groupId }, `${message} Waiting for it.`);
        warned = message;
        await sleep(REST_MS, undefined, { signal }).catch(() => {});
      }
    },
  };
}

/** Returns what a person has to change; undefined if the brokers just do not answer. */
function refusalOf(error: unknown, brokers: string[]): string | undefined {
  const { name, message, cause, code } = error as Error & { code?: unknown };
  const at = `Kafka at ${brokers.join(', ')}`;
  if (name === 'KafkaJSSASLAuthenticationError')
    return `${at} refuses KAFKA_USERNAME and KAFKA_PASSWORD, or KAFKA_SASL.`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || /altnames/.test(message))
    return `${at} has a certificate of another name than KAFKA_BROKERS says.`;
  if (/certificate/.test(message)) return `${at} has a certificate of a CA that is not trusted (NODE_EXTRA_CA_CERTS).`;
  return cause instanceof Error ? refusalOf(cause, brokers) : undefined;
}

/** kafkajs's admin client finds the brokers in the cluster's description, but does not fetch it by itself. */
async function begin(admin: Admin) {
  await admin.connect();
  const { brokers } = await admin.describeCluster();
  if (brokers.length === 0) throw new Error('no broker is ready');
}
