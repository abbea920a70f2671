import { within } from '@parley/runtime';
import { compute, fromNow, isDuplicate } from '@parley/runtime/mongo';
import type { Db } from 'mongodb';

export interface RateLimitStore {
  /** Adds to a counter, if only 0, and returns its new value. It expires after `keepMs`. Fails if that takes too long. */
  take(counter: string, count: number, keepMs: number): Promise<number>;
  /** Says that this gateway is running, and returns how many said so in the last `presentMs`. Fails like `take`. */
  gateways(id: string, presentMs: number): Promise<number>;
}

const PATIENCE_MS = 500;
/** Counters survive a crash only by chance, which is good enough and fast. */
const RELAXED = { writeConcern: { w: 1, journal: false } } as const;
/** Begins the id of what is kept for a gateway, among counters whose ids are UUIDs. */
const GATEWAY = 'gateway ';

/** @param patienceMs for tests: how long taking may last. */
export function rateLimitStore(db: Db, { patienceMs = PATIENCE_MS } = {}): RateLimitStore {
  const counters = db.collection<{ _id: string; taken: number; expires_at: Date }>('rate_limits');

  async function add(counter: string, count: number, keepMs: number): Promise<number> {
    const update = compute({
      taken: { $add: [{ $ifNull: ['$taken', 0] }, count] },
      expires_at: { $ifNull: ['$expires_at', fromNow(keepMs)] },
    });
    const options = { ...RELAXED, upsert: true, returnDocument: 'after' } as const;
    const counted = await counters.findOneAndUpdate({ _id: counter }, [update], options);
    return counted!.taken;
  }

  async function register(id: string, presentMs: number): Promise<number> {
    const present = compute({ expires_at: fromNow(presentMs) });
    await counters.updateOne({ _id: `${GATEWAY}${id}` }, [present], { ...RELAXED, upsert: true });
    return counters.countDocuments({
      _id: { $regex: `^${GATEWAY}` },
      $expr: { $gt: ['$expires_at', '$$NOW'] },
    });
  }

  const inTime = async <T>(work: Promise<T>): Promise<T> =>
    (await within(patienceMs, work, 'The rate limits took too long to answer.'))!;

  return {
    async take(counter, count, keepMs) {
      // Of two concurrent upserts, the loser retries and finds the counter.
      const added = add(counter, count, keepMs).catch((error) => {
        if (isDuplicate(error)) return add(counter, count, keepMs);
        throw error;
      });
      return inTime(added);
    },
    gateways: (id, presentMs) => inTime(register(id, presentMs)),
  };
}
