import { setTimeout as pause } from 'node:timers/promises';

/**
 * Polls for at most `withinMs` until the value passes the check; by default, until it is truthy. Returns the value, or
 * throws an error with the question and the last value.
 */
export async function until<T>(
  ask: () => T | Promise<T>,
  holds: (answer: T) => unknown = Boolean,
  withinMs = 50_000,
  everyMs = 20,
): Promise<T> {
  const end = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (holds(answer)) return answer;
    if (performance.now() > end) throw new Error(`After ${withinMs} ms it still is ${JSON.stringify(answer)}: ${ask}`);
    await pause(everyMs);
  }
}
