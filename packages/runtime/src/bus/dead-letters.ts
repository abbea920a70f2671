import { setTimeout as sleep } from 'node:timers/promises';
import { fromBinary } from '@bufbuild/protobuf';
import { EventSchema } from '@parley/proto/events/v1/events_pb';
import type { EventType } from '@parley/proto/events/v1/topics';
import type { Log } from '../log.ts';
import { createLoop, type Loop } from '../loop.ts';
import { type Bus, deadTopic, RETRIED, type Received, redriven } from './bus.ts';

/** The group whose position on a dead topic marks what has been republished. */
export const DEAD_LETTERS = 'dead-letters';

/** A message can be a megabyte, and the program runs beside a service in its pod. */
const LISTED = 100;
const LOOK_MS = 200;

/** The oldest dead letters of a topic that were not republished, 100 at most. */
export const listDeadLetters = (bus: Bus, topic: string): Promise<Received[]> =>
  bus.peek(deadTopic(topic), DEAD_LETTERS, LISTED);

/** How many dead letters of a topic were not republished. */
export const countDeadLetters = (bus: Bus, topic: string): Promise<number> => bus.lag(deadTopic(topic), DEAD_LETTERS);

export interface Redriven {
  /** Republished, each for the group that gave it up. */
  redriven: number;
  /** Messages that the bus itself had refused, for which no group waits, and messages that were rejected as forged. */
  refused: number;
}

/**
 * Republishes the dead letters of a topic. They follow what was published meanwhile, so they are out of order. The next
 * call resumes where this one ended; if this one dies, a few messages may be published twice.
 */
export async function redriveDeadLetters(bus: Bus, topic: string): Promise<Redriven> {
  const counts: Redriven = { redriven: 0, refused: 0 };
  await drain(bus, topic, DEAD_LETTERS, async (message) => {
    const again = redriven(message);
    if (again) await bus.publish(topic, [again]);
    counts[again ? 'redriven' : 'refused'] += 1;
  });
  return counts;
}

/** Handles the dead letters of a topic that a group has not handled yet, until there are none. */
async function drain(
  bus: Bus,
  topic: string,
  group: string,
  handle: (message: Received) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const dead = deadTopic(topic);
  const isEmpty = async () => (await bus.lag(dead, group)) === 0;
  if (await isEmpty()) return;
  const subscription = bus.subscribe({ topic: dead, group, handle });
  try {
    while (!signal?.aborted && !(await isEmpty())) await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
  } finally {
    await subscription.close();
  }
}

/** Events that must be handled in the end, however often that failed. */
const DELETIONS: readonly EventType[] = ['assistantDeleted', 'knowledgeItemDeleted'];
/** The group whose position on a dead topic marks which deletions were tried again. */
const DELETIONS_GROUP = 'deletions';
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 3_600_000;

/**
 * Tries deletions again that became dead letters: a minute later, and then ever later, up to an hour, for as long as dead
 * letters are kept. Each goes to the group that gave it up. Every replica may run it. Its pauses are this process's own, so
 * after a restart they begin anew.
 */
export function createDeletionRetry(options: {
  bus: Bus;
  topics: readonly string[];
  log: Log;
  firstPauseMs?: number;
}): Loop {
  const { bus, topics, log, firstPauseMs = FIRST_PAUSE_MS } = options;
  let pauseMs = firstPauseMs;
  let nextAt = performance.now() + pauseMs;

  async function retry(topic: string, signal: AbortSignal): Promise<number> {
    let retried = 0;
    const retryOne = async (message: Received) => {
      const again = isDeletion(message) && redriven(message);
      if (!again) return;
      await bus.publish(topic, [{ ...again, headers: { ...again.headers, [RETRIED]: 'true' } }]);
      log.warn({ topic, message: message.id, entity: message.key }, 'trying a deletion again that had failed');
      retried += 1;
    };
    await drain(bus, topic, DELETIONS_GROUP, retryOne, signal);
    return retried;
  }

  async function round(signal: AbortSignal): Promise<void> {
    if (performance.now() < nextAt) return;
    let retried = 0;
    for (const topic of topics) retried += await retry(topic, signal);
    pauseMs = retried > 0 ? Math.min(2 * pauseMs, LONGEST_PAUSE_MS) : firstPauseMs;
    nextAt = performance.now() + pauseMs;
  }

  return createLoop({ name: 'retry of deletions', restMs: firstPauseMs, log, round });
}

function isDeletion({ value }: Received): boolean {
  try {
    const type = fromBinary(EventSchema, value).payload.case;
    return type !== undefined && DELETIONS.includes(type);
  } catch {
    return false;
  }
}
