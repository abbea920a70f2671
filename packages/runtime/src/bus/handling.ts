import type { Log } from '../log.ts';
import { within } from '../process.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { traced, traceOf } from '../telemetry/tracing.ts';
import { isTransient } from '../transient.ts';
import {
  type BusMessage,
  deadMessage,
  deadTopic,
  isDeadTopic,
  REDRIVEN_TO,
  RETRIED,
  type Received,
  Rejected,
  type Subscriber,
} from './bus.ts';

export interface AttemptTiming {
  /** Pause after the first failure; doubles with each further one. */
  firstRestMs: number;
  longestRestMs: number;
  /** A message is dead-lettered after this many failed attempts. */
  maxAttempts: number;
}

/** Twelve attempts take about four minutes. */
export const ATTEMPTS: AttemptTiming = { firstRestMs: 200, longestRestMs: 60_000, maxAttempts: 12 };

/** How often a dead message is tried again: for two seconds, so that it holds up those behind it no longer. */
const RETRY_ATTEMPTS = 3;

/** Why a message is dead-lettered if every attempt ended without an error. */
export const DIED = new Error('The process died, or hung, while it handled this message.');

export interface Failure {
  error: unknown;
  /** False if something that the handler needs is unavailable, which says nothing about the message. */
  counts: boolean;
  /** The handler timed out. */
  late: boolean;
  /** No further attempt may follow. */
  final: boolean;
}

/**
 * How long to pause after this many consecutive failures. A handler that timed out may be waiting for a hung server,
 * which looks the same as a message that can't be handled: with the longest pause, twelve such attempts take more than
 * ten minutes.
 */
export const restAfter = (
  failures: number,
  { late }: Failure,
  { firstRestMs, longestRestMs }: AttemptTiming,
): number => (late ? longestRestMs : Math.min(longestRestMs, firstRestMs * 2 ** Math.min(failures - 1, 30)));

/** How every bus handles one message of a subscriber, with the same logs and metrics. */
export interface Handling {
  /** Makes one attempt within its time limit. Returns the failure, or undefined on success. Never rejects. */
  attempt(message: Received): Promise<Failure | undefined>;
  /** Resolves once the message is on its dead topic. */
  deadLetter(message: Received, reason: unknown): Promise<void>;
}

export function createHandling(
  { topic, group, handle }: Subscriber,
  options: {
    /** How long a handler may take. */
    limitMs: number;
    publish(topic: string, messages: BusMessage[]): Promise<void>;
    log: Log;
    metrics?: Pick<Metrics, 'handled' | 'dead' | 'rejected'> | undefined;
  },
): Handling {
  const { limitMs, log, metrics } = options;
  const tooLong = `The handler took longer than ${limitMs / 1000} s.`;

  return {
    async attempt(message) {
      const { id, attempt, headers } = message;
      if ((headers[REDRIVEN_TO] ?? group) !== group) return undefined;
      const begun = performance.now();
      let late = true;
      const handling = async () => {
        try {
          const from = traceOf(headers);
          // What no trace has led to begins none.
          if (from['traceparent'] === undefined) await handle(message);
          else
            await traced(`handle ${topic}`, { kind: 'consumer', from, attributes: { group } }, () => handle(message));
        } finally {
          late = false;
        }
      };
      const failure = await within(limitMs, handling(), tooLong).then(
        () => undefined,
        (error): Failure => {
          const counts = !isTransient(error);
          const wasRetried = headers[RETRIED] !== undefined && counts && attempt >= RETRY_ATTEMPTS;
          return { error, counts, late, final: error instanceof Rejected || wasRetried };
        },
      );
      const outcome = failure ? (failure.counts ? 'failed' : 'unavailable') : 'ok';
      metrics?.handled(topic, group, outcome, (performance.now() - begun) / 1000);
      const line = { err: failure?.error, topic, group, message: id, attempt, outcome };
      if (failure) log.warn(line, 'a message was not handled');
      return failure;
    },
    async deadLetter(message, reason) {
      await options.publish(deadTopic(topic), [deadMessage(message, group, reason)]);
      metrics?.handled(topic, group, 'dead', 0);
      metrics?.dead(topic, group);
      const rejected = reason instanceof Rejected;
      if (rejected) metrics?.rejected(topic, group);
      const line = rejected ? 'ALARM: a message was rejected as forged' : 'a message was dead-lettered';
      log.error({ err: reason, topic, group, message: message.id }, line);
    },
  };
}

/**
 * Counts messages that something other than a consumer publishes to a dead topic: a relay whose event the bus refused.
 */
export function countRefused(metrics: Pick<Metrics, 'dead'> | undefined, topic: string, messages: BusMessage[]): void {
  if (isDeadTopic(topic)) for (const _ of messages) metrics?.dead(topic.slice(0, -deadTopic('').length), '');
}
