import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, must } from '../e2e/api.ts';

const WITHIN_MS = 150_000;
const PAUSE_MS = 250;
/** Statuses after which a well-behaved client repeats the request. */
const LATER = new Set([409, 503, 504]);

/**
 * Retries like a well-behaved client: repeats the same request after a pause if there is no response, or one that
 * allows it. Rejects if the request is refused permanently, or does not succeed in 150 seconds.
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
