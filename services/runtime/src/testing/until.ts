import { setTimeout as pause } from 'node:timers/promises';

/**
 * Asks again and again, at most for `withinMs`, until the answer is what was waited for: a true one, unless told.
 * Gives it back; else throws what was asked and the last answer.
 */
export async function until<T>(
  ask: () => T | Promise<T>,
  holds: (answer: T) => unknown = Boolean,
  withinMs = 25_000,
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
