import { setTimeout as pause } from 'node:timers/promises';

/** Asks again and again, at most for `withinMs`, until the answer is what was waited for. */
export async function until<T>(
  ask: () => Promise<T>,
  holds: (answer: T) => unknown,
  withinMs = 25_000,
  everyMs = 25,
): Promise<T> {
  const end = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (holds(answer)) return answer;
    if (performance.now() > end) throw new Error(`After ${withinMs} ms it still is ${JSON.stringify(answer)}`);
    await pause(everyMs);
  }
}
