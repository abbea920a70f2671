import { setTimeout as sleep } from 'node:timers/promises';
import { type Bus, deadTopic, type Received, redriven } from './bus.ts';

/** The group whose position on a dead topic marks what has been republished. */
export const DEAD_LETTERS = 'dead-letters';

/** A message can be a megabyte, and the program runs beside a service in its pod. */
const LISTED = 100;
const LOOK_MS = 200;

/** The oldest messages that were set aside and not republished, 100 at most. */
export const listDeadLetters = (bus: Bus, topic: string): Promise<Received[]> =>
  bus.peek(deadTopic(topic), DEAD_LETTERS, LISTED);

/** How many messages of a topic were set aside and not republished. */
export const countDeadLetters = (bus: Bus, topic: string): Promise<number> => bus.lag(deadTopic(topic), DEAD_LETTERS);

export interface Redriven {
  /** Republished, each for the group that gave it up. */
  redriven: number;
  /** Messages that the bus itself had refused: no group waits for them. */
  refused: number;
}

/**
 * Republishes what was set aside. The messages follow what was published meanwhile, so they are out of order. The next
 * call resumes where this one ended; if this one dies, a few messages may be published twice.
 */
export async function redriveDeadLetters(bus: Bus, topic: string): Promise<Redriven> {
  const from = deadTopic(topic);
  const counts: Redriven = { redriven: 0, refused: 0 };
  if ((await countDeadLetters(bus, topic)) === 0) return counts;
  const subscription = bus.subscribe({
    topic: from,
    group: DEAD_LETTERS,
    async handle(message) {
      const again = redriven(message);
      if (again) await bus.publish(topic, [again]);
      counts[again ? 'redriven' : 'refused'] += 1;
    },
  });
  try {
    while ((await countDeadLetters(bus, topic)) > 0) await sleep(LOOK_MS);
  } finally {
    await subscription.close();
  }
  return counts;
}
