import { keepLatest, type Log } from '@parley/runtime';
import type { RateLimitStore } from '../store/rate-limit-store.ts';

export interface Allowance {
  allowed: boolean;
  /** Requests in a window; 0: unlimited. */
  limit: number;
  windowSeconds: number;
  /** Requests that are left in this window. */
  remaining: number;
  /** Until the next window. */
  resetSeconds: number;
}

export interface RateLimiter {
  take(key: string): Promise<Allowance>;
}

const WINDOW_MS = 60_000;
const MAX_BATCH = 100;
const MAX_BUCKETS = 10_000;
/** How long counting is suspended after the store was found unavailable. */
const BLIND_MS = 5_000;

/** This process's view of a key's requests in the current window. */
interface Bucket {
  window: number;
  /** Taken from the store and not used yet. */
  held: number;
  /** The total taken by all processes when this one last asked. */
  taken: number;
  refill?: Promise<void> | undefined;
}

/**
 * Counts requests per key and minute across all gateways. Each gateway takes its share from the store in batches of up to
 * 100 requests, so a key may be refused up to (gateways - 1) x batch requests early, but never late. While the store is
 * unavailable, no request is refused.
 */
export function createRateLimiter(options: {
  store: RateLimitStore;
  perMinute: number;
  log: Log;
  clock?: () => number;
}): RateLimiter {
  const { store, perMinute: limit, log, clock = Date.now } = options;
  const batch = Math.min(MAX_BATCH, Math.max(1, Math.floor(limit / 20)));
  const buckets = new Map<string, Bucket>();
  let blindUntil = 0;

  function bucketOf(key: string, window: number): Bucket {
    const known = buckets.get(key);
    if (known?.window === window) return known;
    const bucket: Bucket = { window, held: 0, taken: 0 };
    keepLatest(buckets, key, bucket, MAX_BUCKETS);
    return bucket;
  }

  async function refill(key: string, bucket: Bucket) {
    try {
      bucket.taken = await store.take(`${key}:${bucket.window}`, batch, 2 * WINDOW_MS);
      bucket.held += Math.max(0, Math.min(batch, limit - bucket.taken + batch));
    } catch (error) {
      blindUntil = clock() + BLIND_MS;
      log.warn({ err: error }, 'rate limits suspended: the database is unavailable');
    } finally {
      bucket.refill = undefined;
    }
  }

  return {
    async take(key) {
      const now = clock();
      const window = Math.floor(now / WINDOW_MS);
      const resetSeconds = Math.ceil(((window + 1) * WINDOW_MS - now) / 1000);
      const bucket = bucketOf(key, window);
      const blind = () => limit === 0 || clock() < blindUntil;
      while (!blind() && bucket.held === 0 && bucket.taken < limit) {
        bucket.refill ??= refill(key, bucket);
        await bucket.refill;
      }
      const allowed = bucket.held > 0 || blind();
      if (bucket.held > 0) bucket.held -= 1;
      const remaining = bucket.held + Math.max(0, limit - bucket.taken);
      return { allowed, limit, windowSeconds: WINDOW_MS / 1000, remaining, resetSeconds };
    },
  };
}
