import { setTimeout as delay } from 'node:timers/promises';

export interface RetryPolicy {
  /** All attempts, the first included. */
  attempts: number;
  /** The pause after the first failure; it doubles with each further one. */
  backoffMs: number;
  /** Fails at once instead of pausing longer than this. */
  longestPauseMs: number;
  /**
   * How long to pause before the next attempt; undefined if another attempt would not help.
   *
   * @param backoffMs exponential, with jitter, for a server that does not say how long to wait
   */
  pauseAfter(error: unknown, backoffMs: number): number | undefined;
}

/** Makes attempts until one succeeds. Rejects with the last error, or with the signal's reason once it aborts. */
export async function retry<T>(attempt: () => Promise<T>, policy: RetryPolicy, signal: AbortSignal): Promise<T> {
  for (let tried = 1; ; tried++) {
    signal.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      const backoffMs = policy.backoffMs * 2 ** (tried - 1) * (0.5 + Math.random() / 2);
      const pauseMs = policy.pauseAfter(error, backoffMs);
      if (pauseMs === undefined || pauseMs > policy.longestPauseMs || tried === policy.attempts) throw error;
      // Timers report an abort as their own error; callers are promised the signal's reason.
      await delay(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

/**
 * Makes attempts of a read and a conditional write until one wins its race, without pauses: each that loses means that
 * another writer has won.
 *
 * @param attempt returns null if it lost.
 * @param refusal thrown after so many attempts.
 */
export async function retryOnConflict<T>(
  attempt: (tried: number) => Promise<T | null>,
  attempts: number,
  refusal: () => Error,
): Promise<T> {
  for (let tried = 0; tried < attempts; tried++) {
    const done = await attempt(tried);
    if (done !== null) return done;
  }
  throw refusal();
}
