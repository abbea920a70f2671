import { expect, test } from '@jest/globals';
import { type RetryPolicy, retry, retryOnConflict } from './retry.ts';

const { signal } = new AbortController();

/** Fails until an attempt succeeds; reports the attempts made and the backoff offered before each further one. */
function failing(failures: number, policy: Partial<RetryPolicy> = {}) {
  const seen = { attempts: 0, backoffs: [] as number[] };
  const attempt = async () => {
    if (seen.attempts++ < failures) throw new Error(`failure ${seen.attempts}`);
    return 'done';
  };
  const pauseAfter = (_: unknown, backoffMs: number) => {
    seen.backoffs.push(backoffMs);
    return 0;
  };
  const run = (until: AbortSignal = signal) =>
    retry(attempt, { attempts: 5, backoffMs: 100, longestPauseMs: 1_000, pauseAfter, ...policy }, until);
  return { seen, run };
}

test('attempts continue until one succeeds, with a backoff that doubles', async () => {
  const { seen, run } = failing(3);
  await expect(run()).resolves.toBe('done');
  expect(seen.attempts).toBe(4);
  seen.backoffs.forEach((backoffMs, i) => {
    expect(backoffMs).toBeGreaterThanOrEqual(50 * 2 ** i);
    expect(backoffMs).toBeLessThanOrEqual(100 * 2 ** i);
  });
});

test('the last error is thrown once all attempts have failed', async () => {
  const { seen, run } = failing(9);
  await expect(run()).rejects.toThrow('failure 5');
  expect(seen.attempts).toBe(5);
});

test.each<[string, Partial<RetryPolicy>]>([
  ['that another attempt would not mend', { pauseAfter: () => undefined }],
  ['whose server wants a longer pause than allowed', { pauseAfter: () => 1_001 }],
])('an error %s is thrown at once', async (_, policy) => {
  const { seen, run } = failing(9, policy);
  await expect(run()).rejects.toThrow('failure 1');
  expect(seen.attempts).toBe(1);
});

test('an abort ends a pause with its own reason', async () => {
  const aborting = new AbortController();
  const pauseAfter = () => {
    setImmediate(() => aborting.abort(new Error('closed')));
    return 60_000;
  };
  const { seen, run } = failing(9, { pauseAfter, longestPauseMs: 60_000 });
  await expect(run(aborting.signal)).rejects.toThrow('closed');
  expect(seen.attempts).toBe(1);
});

test('a write that loses its races is repeated so many times, then refused', async () => {
  const losing = (races: number) => {
    const seen: number[] = [];
    const attempt = async (tried: number) => (seen.push(tried) > races ? 'won' : null);
    return { seen, done: retryOnConflict(attempt, 3, () => new Error('too many')) };
  };
  await expect(losing(2).done).resolves.toBe('won');
  const lost = losing(3);
  await expect(lost.done).rejects.toThrow('too many');
  expect(lost.seen).toEqual([0, 1, 2]);
});
