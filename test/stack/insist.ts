import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, must } from '../e2e/api.ts';

const WITHIN_MS = 150_000;
const PAUSE_MS = 250;
/** Answers after which a good client sends the same request again. */
const LATER = new Set([409, 503, 504]);

/**
 * Asks as a good client does: the same request again, after a pause, where there is no answer or one that says so.
 * Rejects where it is refused for good, or has no success in 150 seconds.
 */
export async function insist<T>(ask: () => Promise<Answer<T>>): Promise<T> {
  const end = performance.now() + WITHIN_MS;
  for (;;) {
    const answer = await ask().catch(unanswered);
    if (!('error' in answer) && !LATER.has(answer.status)) return must(answer);
    if (performance.now() > end) throw new Error(`No success in ${WITHIN_MS} ms: ${JSON.stringify(answer)}`);
    await pause(PAUSE_MS);
  }
}

function unanswered(error: Error): { error: string } {
  const lost = error.message === 'fetch failed' || error.message === 'terminated' || error.name === 'TimeoutError';
  if (!lost) throw error;
  return { error: `${error.message} ${error.cause ?? ''}` };
}
