import { within } from '@parley/runtime';
import { compute, fromNow, isDuplicate } from '@parley/runtime/mongo';
import type { Db } from 'mongodb';

export interface RateLimitStore {
  /** Adds to a counter, if only 0, and returns its new value. It expires after `keepMs`. Fails if that takes too long. */
  take(counter: string, count: number, keepMs: number): Promise<number>;
}

const PATIENCE_MS = 500;

/** @param patienceMs for tests: how long taking may last. */
export function rateLimitStore(db: Db, { patienceMs = PATIENCE_MS } = {}): RateLimitStore {
  const counters = db.collection<{ _id: string; taken: number; expires_at: Date }>('rate_limits');

  async function add(counter: string, count: number, keepMs: number): Promise<number> {
    const update = compute({
      taken: { $add: [{ $ifNull: ['$taken', 0] }, count] },
      expires_at: { $ifNull: ['$expires_at', fromNow(keepMs)] },
    });
    const options = { upsert: true, returnDocument: 'after', writeConcern: { w: 1, journal: false } } as const;
    const counted = await counters.findOneAndUpdate({ _id: counter }, [update], options);
    return counted!.taken;
  }

  return {
    async take(counter, count, keepMs) {
      // Of two concurrent upserts, the loser retries and finds the counter.
      const added = add(counter, count, keepMs).catch((error) => {
        if (isDuplicate(error)) return add(counter, count, keepMs);
        throw error;
      });
      return (await within(patienceMs, added, 'The rate limits took too long to answer.'))!;
    },
  };
}
