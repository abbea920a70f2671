import type { Log } from '@parley/runtime';
import { deriveId, randomId } from '@parley/runtime/rpc';
import { LRUCache } from 'lru-cache';
import type { RateLimitStore } from '../store/rate-limit-store.ts';

/** How many requests one subject, such as an API key, may send in a window of time. */
export interface QuotaPolicy {
  name: string;
  /** At least 1. */
  limit: number;
  /** A minute by default. Windows begin at multiples of it since 1970, so those of a day begin at midnight UTC. */
  windowSeconds?: number;
}

/** A request counts for one subject of each policy. */
export interface Subject {
  policy: QuotaPolicy;
  id: string;
}

export interface Allowance {
  /** The first policy that refuses the request, and when its next window begins; absent if it is allowed. */
  exceeded?: { policy: QuotaPolicy; resetSeconds: number };
  /**
   * For each subject, in order: how many more requests in this window any gateway will allow; while the store is
   * unavailable, this gateway.
   */
  remaining: number[];
  /** For each subject, in order: until its next window. */
  resetSeconds: number[];
}

export interface RateLimiter {
  /** Counts a request for all these subjects, or for none if it exceeds the limit of one. */
  take(subjects: readonly Subject[]): Promise<Allowance>;
}

export const WINDOW_SECONDS = 60;
/** A gateway takes this share of what is left, so that less and less is out of the others' reach. */
const BATCH_SHARE = 1 / 20;
const MAX_BATCH = 100;
/** The most subjects of one policy, so that a flood of them makes no gateway forget those of another. */
const MAX_BUCKETS = 20_000;
/** After this time a gateway asks what the others have taken, even if it holds requests itself. */
const FRESH_MS = 1_000;
/** How long a gateway counts alone after the store was found unavailable. */
const ALONE_MS = 5_000;
/** How often a gateway counts the others, and how long one that is no longer heard of counts. */
const COUNT_MS = 20_000;
const PRESENT_MS = 60_000;

/** This process's view of a subject's requests in the current window. */
interface Bucket {
  /** In the store. */
  counter: string;
  windowMs: number;
  window: number;
  limit: number;
  /** Taken from the store and not used yet. */
  held: number;
  /** The total taken by all processes when this one last asked. */
  taken: number;
  askedAt: number;
  /** Allowed while the store was unavailable, and not counted there yet. */
  uncounted: number;
  asking?: Promise<void> | undefined;
}

/**
 * Counts requests per subject and window across all gateways. Each gateway takes requests from the store in batches of a
 * twentieth of what is left, at most 100, and at least 1. So never more than the limit are allowed in a window; a request may
 * be refused while other gateways still hold batches: early by at most (gateways - 1) x min(100, limit / 20). `remaining`
 * is what the store still has, as this gateway saw it at most a second ago; what gateways hold comes on top.
 *
 * While the store is unavailable, each gateway goes on alone: of what was left in this window when it last knew, and of the
 * whole limit in the next ones, it allows its share, the same for all gateways that it knows of. Together they exceed the
 * limit by no more than what they took in the second before, and a request each. A gateway that started meanwhile knows of
 * no other. Once the store is back, each reports what it allowed alone with its next request.
 */
export function createRateLimiter(options: { store: RateLimitStore; log: Log; clock?: () => number }): RateLimiter {
  const { store, log, clock = Date.now } = options;
  const bucketsOf = new Map<string, LRUCache<string, Bucket>>();
  const id = randomId();
  let gateways = 1;
  let countedAt = Number.NEGATIVE_INFINITY;
  let counting: Promise<void> | undefined;
  let aloneUntil = 0;
  const isAlone = () => clock() < aloneUntil;

  function bucketOf({ policy, id }: Subject, now: number): Bucket {
    const { name, limit, windowSeconds = WINDOW_SECONDS } = policy;
    const windowMs = windowSeconds * 1000;
    const window = Math.floor(now / windowMs);
    const buckets = bucketsOf.get(name) ?? new LRUCache<string, Bucket>({ max: MAX_BUCKETS });
    bucketsOf.set(name, buckets);
    const known = buckets.get(id);
    // The limit of a subject may have changed since.
    if (known?.window === window) return Object.assign(known, { limit });
    // A hash, so that no id of a deleted account stays.
    const counter = deriveId(name, id, String(window));
    const bucket = { counter, windowMs, window, limit, held: 0, taken: 0, askedAt: 0, uncounted: 0 };
    buckets.set(id, bucket);
    return bucket;
  }

  /** Returns what is left of the share of this gateway, apart from what it holds. */
  const ownShare = ({ limit, taken, uncounted }: Bucket) =>
    Math.max(0, Math.ceil((limit - taken) / gateways) - uncounted);
  const sharedRest = ({ limit, taken }: Bucket) => Math.max(0, limit - taken);
  const mustAsk = (bucket: Bucket) =>
    bucket.taken < bucket.limit && (bucket.held === 0 || clock() - bucket.askedAt >= FRESH_MS);

  async function ask(bucket: Bucket) {
    const { counter, windowMs, held, limit, taken, uncounted } = bucket;
    const batch = held > 0 ? 0 : Math.min(MAX_BATCH, Math.max(1, Math.floor((limit - taken) * BATCH_SHARE)));
    try {
      bucket.taken = await store.take(counter, batch + uncounted, 2 * windowMs);
      bucket.uncounted -= uncounted;
      bucket.held += Math.max(0, Math.min(batch, limit - bucket.taken + batch));
      bucket.askedAt = clock();
    } catch (error) {
      if (!isAlone()) log.warn({ err: error }, 'this gateway counts requests alone: the database is unavailable');
      aloneUntil = clock() + ALONE_MS;
    } finally {
      bucket.asking = undefined;
    }
  }

  async function countGateways() {
    try {
      gateways = await store.gateways(id, PRESENT_MS);
    } catch {
      // The counters fail, too, and that is logged.
    } finally {
      countedAt = clock();
      counting = undefined;
    }
  }

  /** Only the first request waits for it. */
  async function knowGateways() {
    const isFirst = countedAt === Number.NEGATIVE_INFINITY;
    if (!isAlone() && clock() - countedAt >= COUNT_MS) counting ??= countGateways();
    if (isFirst) await counting;
  }

  /** Counts one request. */
  function use(bucket: Bucket) {
    if (bucket.held > 0) bucket.held -= 1;
    else bucket.uncounted += 1;
  }

  return {
    async take(subjects) {
      await knowGateways();
      const now = clock();
      const own = subjects.map((subject) => bucketOf(subject, now));
      while (!isAlone() && own.some(mustAsk)) {
        const asked = own.filter(mustAsk);
        for (const bucket of asked) bucket.asking ??= ask(bucket);
        await Promise.all(asked.map(({ asking }) => asking));
      }
      const rest = isAlone() ? ownShare : sharedRest;
      const resetSeconds = own.map(({ window, windowMs }) => Math.ceil(((window + 1) * windowMs - now) / 1000));
      const refusing = own.findIndex((bucket) => bucket.held === 0 && rest(bucket) === 0);
      if (refusing < 0) own.forEach(use);
      return {
        ...(refusing >= 0 && {
          exceeded: { policy: subjects[refusing]!.policy, resetSeconds: resetSeconds[refusing]! },
        }),
        remaining: own.map(rest),
        resetSeconds,
      };
    },
  };
}
