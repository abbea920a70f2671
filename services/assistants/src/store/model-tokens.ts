import { isDuplicate } from '@parley/runtime/mongo';
import type { Db } from 'mongodb';

/** The tokens that an account used on a day. An index removes it after a month. */
export interface ModelTokensDoc {
  /** Account and day. */
  _id: string;
  account: string;
  /** UTC midnight. */
  day: Date;
  tokens: number;
}

/** Limits the tokens that each account may use in a day (UTC), over all replicas. */
export interface TokenBudget {
  /** Reserves tokens before they are used; undefined if too few are left. */
  reserve(account: string, tokens: number): Promise<Reservation | undefined>;
}

export interface Reservation {
  /** Replaces what was reserved by what was used. A reservation that is never settled counts as used. */
  settle(used: number): Promise<void>;
}

export const modelTokens = (db: Db) => db.collection<ModelTokensDoc>('model_tokens');

/** @param perDay the most tokens of an account in a day */
export function tokenBudget(db: Db, perDay: number, now: () => Date = () => new Date()): TokenBudget {
  const used = modelTokens(db);
  return {
    async reserve(account, tokens) {
      if (tokens > perDay) return undefined;
      const day = new Date(now().setUTCHours(0, 0, 0, 0));
      const own = { _id: `${account}/${day.toISOString().slice(0, 10)}`, account };
      const enough = { ...own, tokens: { $lte: perDay - tokens } };
      const change = { $inc: { tokens }, $setOnInsert: { day } };
      // The upsert fails if the day has too few tokens left, or if another request has just begun the day.
      const reserved = await used.updateOne(enough, change, { upsert: true }).catch(async (error) => {
        if (!isDuplicate(error)) throw error;
        return await used.updateOne(enough, change);
      });
      if (reserved.matchedCount + reserved.upsertedCount === 0) return undefined;
      return {
        async settle(actual) {
          await used.updateOne(own, { $inc: { tokens: actual - tokens } });
        },
      };
    },
  };
}
