import type { Log } from '../log.ts';
import { within } from '../process.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { type BusMessage, deadMessage, deadTopic, type Received, type Subscriber } from './bus.ts';

export interface AttemptTiming {
  /** Rest after the first failed attempt; each further one doubles it. */
  firstRestMs: number;
  longestRestMs: number;
  /** A message is set aside when so many attempts have failed. */
  maxAttempts: number;
}

/** Twelve attempts take about four minutes. */
export const ATTEMPTS: AttemptTiming = { firstRestMs: 200, longestRestMs: 60_000, maxAttempts: 12 };

/** Why a message is set aside whose every attempt ended without a word. */
export const DIED = new Error('The process died, or hung, while it handled this message.');

export const restAfter = (attempt: number, { firstRestMs, longestRestMs }: AttemptTiming): number =>
  Math.min(longestRestMs, firstRestMs * 2 ** (attempt - 1));

/** What every bus does with one message of a subscriber, in the same words in logs and metrics. */
export interface Handling {
  /** One attempt, within its time; undefined where it has succeeded, else the failure. Never rejects. */
  attempt(message: Received): Promise<unknown>;
  /** Resolves once the message is on its dead topic. */
  setAside(message: Received, reason: unknown): Promise<void>;
}

export function createHandling(
  { topic, group, handle }: Subscriber,
  options: {
    /** How long a handler may take. */
    limitMs: number;
    publish(topic: string, messages: BusMessage[]): Promise<void>;
    log: Log;
    metrics?: Pick<Metrics, 'handled'> | undefined;
  },
): Handling {
  const { limitMs, log, metrics } = options;
  const tooLong = `The handler took longer than ${limitMs / 1000} s.`;
  /** A handler that throws before its first await rejects too. */
  const handling = async (message: Received) => handle(message);

  return {
    async attempt(message) {
      const begun = performance.now();
      const failure = await within(limitMs, handling(message), tooLong).then(
        () => undefined,
        (error) => error ?? new Error('The handler failed without a reason.'),
      );
      metrics?.handled(topic, group, failure ? 'failed' : 'ok', (performance.now() - begun) / 1000);
      const { id, attempt } = message;
      if (failure) log.warn({ err: failure, topic, group, message: id, attempt }, 'a message was not handled');
      return failure;
    },
    async setAside(message, reason) {
      await options.publish(deadTopic(topic), [deadMessage(message, group, reason)]);
      metrics?.handled(topic, group, 'dead', 0);
      log.error({ err: reason, topic, group, message: message.id }, 'a message was set aside');
    },
  };
}
