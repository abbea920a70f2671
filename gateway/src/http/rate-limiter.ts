import { keepLatest, type Log } from '@parley/runtime';
import { deriveId } from '@parley/runtime/rpc';
import type { RateLimitStore } from '../store/rate-limit-store.ts';

/** How many requests one subject, such as an API key, may send in a minute. */
export interface QuotaPolicy {
  name: string;
  /** At least 1. */
  perMinute: number;
}

/** A request counts for one subject of each policy. */
export interface Subject {
  policy: QuotaPolicy;
  id: string;
}

export interface Allowance {
  /** The first policy that refuses the request; absent if it is allowed. */
  exceeded?: QuotaPolicy;
  /** For each subject, in order: how many more requests in this window any gateway will allow. */
  remaining: number[];
  /** Until the next window. */
  resetSeconds: number;
}

export interface RateLimiter {
  /** Counts a request for all these subjects, or for none if it exceeds the limit of one. */
  take(subjects: readonly Subject[]): Promise<Allowance>;
}

export const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1000;
/** A gateway takes this share of what is left, so that less and less is out of the others' reach. */
const BATCH_SHARE = 1 / 20;
const MAX_BATCH = 100;
const MAX_BUCKETS = 20_000;
/** After this time a gateway asks what the others have taken, even if it holds requests itself. */
const FRESH_MS = 1_000;
/** How long counting is suspended after the store was found unavailable. */
const BLIND_MS = 5_000;

/** This process's view of a subject's requests in the current window. */
interface Bucket {
  /** In the store. */
  counter: string;
  window: number;
  limit: number;
  /** Taken from the store and not used yet. */
  held: number;
  /** The total taken by all processes when this one last asked. */
  taken: number;
  askedAt: number;
  asking?: Promise<void> | undefined;
}

/**
 * Counts requests per subject and minute across all gateways. Each gateway takes requests from the store in batches of a
 * twentieth of what is left, at most 100, and at least 1. So never more than the limit are allowed in a window; a request may
 * be refused while other gateways still hold batches: early by at most (gateways - 1) x min(100, limit / 20). `remaining`
 * is what the store still has, as this gateway saw it at most a second ago; what gateways hold comes on top. While the store
 * is unavailable, no request is refused.
 */
export function createRateLimiter(options: { store: RateLimitStore; log: Log; clock?: () => number }): RateLimiter {
  const { store, log, clock = Date.now } = options;
  const buckets = new Map<string, Bucket>();
  let blindUntil = 0;
  const isBlind = () => clock() < blindUntil;

  function bucketOf({ policy, id }: Subject, window: number): Bucket {
    const name = `${policy.name} ${id}`;
    const known = buckets.get(name);
    if (known?.window === window) return known;
    // A hash, so that no id of a deleted account stays.
    const counter = deriveId(policy.name, id, String(window));
    const bucket = { counter, window, limit: policy.perMinute, held: 0, taken: 0, askedAt: 0 };
    keepLatest(buckets, name, bucket, MAX_BUCKETS);
    return bucket;
  }

  const isExhausted = ({ held, taken, limit }: Bucket) => held === 0 && taken >= limit;
  const mustAsk = (bucket: Bucket) =>
    bucket.taken < bucket.limit && (bucket.held === 0 || clock() - bucket.askedAt >= FRESH_MS);

  async function ask(bucket: Bucket) {
    const { counter, held, limit, taken } = bucket;
    const batch = held > 0 ? 0 : Math.min(MAX_BATCH, Math.max(1, Math.floor((limit - taken) * BATCH_SHARE)));
    try {
      bucket.taken = await store.take(counter, batch, 2 * WINDOW_MS);
      bucket.held += Math.max(0, Math.min(batch, limit - bucket.taken + batch));
      bucket.askedAt = clock();
    } catch (error) {
      if (!isBlind()) log.warn({ err: error }, 'rate limits suspended: the database is unavailable');
      blindUntil = clock() + BLIND_MS;
    } finally {
      bucket.asking = undefined;
    }
  }

  return {
    async take(subjects) {
      const now = clock();
      const window = Math.floor(now / WINDOW_MS);
      const own = subjects.map((subject) => bucketOf(subject, window));
      while (!isBlind() && own.some(mustAsk)) {
        const asked = own.filter(mustAsk);
        for (const bucket of asked) bucket.asking ??= ask(bucket);
        await Promise.all(asked.map(({ asking }) => asking));
      }
      const exceeded = isBlind() ? undefined : subjects[own.findIndex(isExhausted)]?.policy;
      if (!exceeded) for (const bucket of own) bucket.held = Math.max(0, bucket.held - 1);
      return {
        ...(exceeded && { exceeded }),
        remaining: own.map(({ limit, taken }) => Math.max(0, limit - taken)),
        resetSeconds: Math.ceil(((window + 1) * WINDOW_MS - now) / 1000),
      };
    },
  };
}
