import { compute, fromNow, isDuplicate, within } from '@parley/runtime';
import type { Db } from 'mongodb';

export interface RateLimitStore {
  /** Adds to a counter, which is forgotten after `keepMs`, and gives its new value. Answers within half a second or fails. */
  take(counter: string, count: number, keepMs: number): Promise<number>;
}

const PATIENCE_MS = 500;

export function rateLimitStore(db: Db): RateLimitStore {
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
      // Two upserts at once: the loser finds the counter there.
      const added = add(counter, count, keepMs).catch((error) => {
        if (isDuplicate(error)) return add(counter, count, keepMs);
        throw error;
      });
      return (await within(PATIENCE_MS, added, 'The rate limits took too long to answer.'))!;
    },
  };
}
