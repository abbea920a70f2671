import type { Collection, Db, IndexDescription } from 'mongodb';
import type { Log } from '../log.ts';
import { isDuplicate } from './errors.ts';
import { outbox, type WithOutbox } from './outbox.ts';
import { NEAR_SHARE, quotaPassed } from './quota-events.ts';
import { compute, literal } from './write.ts';

/** The tokens that an account used on a day. An index removes it after a month. */
export interface TokensDoc extends WithOutbox {
  /** Account and day. */
  _id: string;
  account: string;
  /** UTC midnight. */
  day: Date;
  tokens: number;
  /** When a request was first refused because too few were left. */
  spent_at?: Date;
  /** When the account was told that most are used. */
  near_at?: Date;
}

export interface SpentTokens {
  day: number;
  /** Since the first of the month, with this day. */
  month: number;
  /** When the tokens of the day were spent; absent if they are not. */
  spentAt?: Date;
}

/** Counts the tokens that each account uses of a model's server, and limits those of a day (UTC), over all replicas. */
export interface TokenBudget {
  /** The most of an account in a day; Infinity: no limit. */
  readonly perDay: number;
  /** Reserves tokens before they are used; undefined if too few are left. The first time in a day, the log says so. */
  reserve(account: string, tokens: number): Promise<Reservation | undefined>;
  used(account: string): Promise<SpentTokens>;
}

export interface Reservation {
  /** Replaces what was reserved by what was used. A reservation that is never settled counts as used. */
  settle(used: number): Promise<void>;
}

const DAY_SECONDS = 24 * 3600;
/** So that the first day of a month is there on its last. */
const KEPT_SECONDS = 31 * DAY_SECONDS;

/** Indexes of a collection of tokens. */
export const TOKENS_INDEXES: IndexDescription[] = [
  { key: { account: 1, day: 1 } },
  { key: { day: 1 }, expireAfterSeconds: KEPT_SECONDS },
];

export const tokensCollection = (db: Db, name: string): Collection<TokensDoc> => db.collection<TokensDoc>(name);

/**
 * @param options.setting the setting that limits them, for the log
 * @param options.used called with the tokens that were used
 */
export function tokenBudget(
  db: Db,
  name: string,
  options: {
    perDay: number;
    setting: string;
    log: Pick<Log, 'warn'>;
    used?: (tokens: number) => void;
    now?: () => Date;
  },
): TokenBudget {
  const { perDay, setting, log, now = () => new Date() } = options;
  const tokensOf = tokensCollection(db, name);
  const today = () => new Date(now().setUTCHours(0, 0, 0, 0));
  const dayOf = (account: string, day: Date) => ({ _id: `${account}/${day.toISOString().slice(0, 10)}`, account });

  async function spent(account: string, day: Date): Promise<void> {
    if (await announce(account, day, 'spent_at', true))
      log.warn({ account, perDay, setting }, 'an account has spent its tokens of the day');
  }

  /** Tells the account, the first time in a day; returns whether it was. */
  async function announce(
    account: string,
    day: Date,
    field: 'near_at' | 'spent_at',
    reached: boolean,
  ): Promise<boolean> {
    const first = { ...dayOf(account, day), [field]: { $exists: false } };
    const { payload, computed } = quotaPassed(name, perDay, 'day', reached, '$tokens');
    const known = { day: { $ifNull: ['$day', literal(day)] }, tokens: { $ifNull: ['$tokens', 0] } };
    const stages = [compute({ ...known, [field]: '$$NOW' }), ...outbox(payload, { computed })];
    // The upsert fails if that is known already.
    return tokensOf.updateOne(first, stages, { upsert: true }).then(
      () => true,
      (error) => (isDuplicate(error) ? false : Promise.reject(error)),
    );
  }

  return {
    perDay,

    async reserve(account, tokens) {
      const day = today();
      const own = dayOf(account, day);
      const enough = { ...own, tokens: { $lte: perDay - tokens } };
      const change = { $inc: { tokens }, $setOnInsert: { day } };
      const isPossible = tokens <= perDay;
      // The upsert fails if the day has too few tokens left, or if another request has just begun the day.
      const after = { returnDocument: 'after' } as const;
      const reserved = await tokensOf
        .findOneAndUpdate(enough, change, { ...after, upsert: isPossible })
        .catch((error) => {
          if (!isDuplicate(error)) throw error;
          return tokensOf.findOneAndUpdate(enough, change, after);
        });
      if (!reserved) {
        await spent(account, day);
        return undefined;
      }
      if (reserved.tokens >= perDay * NEAR_SHARE && !reserved.near_at) await announce(account, day, 'near_at', false);
      return {
        async settle(actual) {
          options.used?.(actual);
          await tokensOf.updateOne(own, { $inc: { tokens: actual - tokens } });
        },
      };
    },

    async used(account) {
      const day = today();
      const month = new Date(day);
      month.setUTCDate(1);
      const days = await tokensOf.find({ account, day: { $gte: month } }).toArray();
      const now = days.find((each) => each.day.getTime() === day.getTime());
      return {
        day: now?.tokens ?? 0,
        month: days.reduce((sum, { tokens }) => sum + tokens, 0),
        ...(now?.spent_at && { spentAt: now.spent_at }),
      };
    },
  };
}
