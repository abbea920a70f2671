import type { Collection, Db } from 'mongodb';
import { AppError, isAppError, unavailable } from '../errors.ts';
import { randomId } from '../ids.ts';
import { type ErasePart, eraseFrom } from './deleted-accounts.ts';
import type { WithOutbox } from './outbox.ts';
import { type Announced, announcements, isNear, reached } from './quota-events.ts';
import { compute, insertOnce, literal } from './write.ts';

/** How much of each kind of thing. */
export type Amounts<N extends string> = Partial<Record<N, number>>;

/** An account would have more than it may. */
export class QuotaExceeded extends AppError {
  constructor(message: string) {
    super('permission_denied', message);
  }
}

export interface Limit {
  /** The most that an account may have. */
  most: number;
  /** The counted things in words, such as `knowledge items`. */
  what: string;
  /** The setting that says so. */
  setting: string;
}

/** An account's usage. It is exact while nothing is pending. */
interface QuotaDoc extends WithOutbox {
  /** The account. */
  _id: string;
  account: string;
  /** Including what is held for pending changes. */
  used: Record<string, number>;
  /** Changes in progress. One that stays was made by a process that died: nobody knows whether it took place. */
  pending: { id: string; at: Date; held: Amounts<string> }[];
  /** Incremented by every change. */
  version: number;
  /** The announcements already made, by quota. */
  announced?: Announced;
  /** When all was last counted; absent if it has to be counted again. */
  counted_at?: Date;
  created_at: Date;
}

/** The result of a change, and its effect on the account's usage. */
export interface Counted<T, N extends string> {
  result: T;
  counted: Amounts<N>;
}

export interface Quota<N extends string> {
  readonly limits: Readonly<Record<N, Limit>>;
  /**
   * Makes a change of what an account has: first holds `most`, which is the most that it may add, then replaces that by what it
   * has counted.
   *
   * @param work throws an AppError only if it has changed nothing
   * @param found what an earlier attempt of the operation has made; asked for if there is no room
   * @throws QuotaExceeded, which names the limit, before `work` is called
   */
  change<T>(
    account: string,
    most: Amounts<N>,
    work: () => Promise<Counted<T, N>>,
    found?: () => Promise<T | null | undefined>,
  ): Promise<T>;
  /** Returns what the account has, including what is held for changes in progress. */
  used(account: string): Promise<Record<N, number>>;
  /** @throws QuotaExceeded if there is no room for as much now */
  check(account: string, more: Amounts<N>): Promise<void>;
  /** The account is counted again when it is next looked at: something was removed without being counted. */
  outdate(account: string): Promise<void>;
  /** Part of an eraser: what accounts have is counted anew from then on. */
  erase: ErasePart;
}

/** Collection of usage by account. It needs an index by account, for the eraser. */
export const QUOTAS = 'quotas';

export const quotaCollection = (db: Db): Collection<QuotaDoc> => db.collection<QuotaDoc>(QUOTAS);

/** Longer than any change takes, so that a process that still has one pending has died, or was suspended. */
const STALE_MS = 10 * 60_000;
/** Mends what was counted wrongly, such as by a process that was suspended for longer. */
const RECOUNT_MS = 24 * 3_600_000;
/** Bounds the document. */
const MAX_PENDING = 1_000;
const TRIES = 5;

/**
 * Counts what accounts have, without looking at it, and refuses what would exceed a limit: of concurrent changes, no more than
 * there is room for. Each change takes two writes of one document, before and after it. The change itself is another write:
 * if its process dies in between, what it held stays in use until the account is counted again, by whoever next makes a
 * change, is refused or asks, ten minutes later or more.
 *
 * @param count counts all that the account has; needed at first, and after a death
 */
export function quotaStore<N extends string>(
  db: Db,
  limits: Record<N, Limit>,
  count: (account: string) => Promise<Record<N, number>>,
  { staleMs = STALE_MS, recountMs = RECOUNT_MS } = {},
): Quota<N> {
  const quotas = quotaCollection(db);
  const names = Object.keys(limits) as N[];
  const recounts = new Map<string, Promise<void>>();

  type Read = QuotaDoc & { now: Date };
  async function read(account: string): Promise<Read | undefined> {
    const [found] = await quotas
      .aggregate<Read>([{ $match: { _id: account, account } }, { $set: { now: '$$NOW' } }])
      .toArray();
    return found;
  }

  const isDue = ({ pending, counted_at, used }: QuotaDoc, now: Date): boolean =>
    !counted_at ||
    now.getTime() - counted_at.getTime() >= recountMs ||
    pending.some(({ at }) => now.getTime() - at.getTime() >= staleMs) ||
    names.some((name) => used[name] === undefined);

  /** Counts the account, unless it is being changed. */
  async function recountOnce(account: string): Promise<void> {
    for (let tries = 0; tries < TRIES; tries++) {
      const before = await read(account);
      if (before && !isDue(before, before.now)) return;
      // Whether these count as yet is for those who make them to say.
      if (before?.pending.some(({ at }) => before.now.getTime() - at.getTime() < staleMs)) return;
      const used = await count(account);
      const counted = compute({ counted_at: '$$NOW' });
      if (!before) {
        await insertOnce(quotas, { _id: account, account, used, pending: [], version: 0 }, [counted]);
        return;
      }
      const unchanged = { _id: account, account, version: before.version };
      const fresh = compute({ used: literal(used), pending: literal([]), version: { $add: ['$version', 1] } });
      // Replaces all of `used`: setting an object merges into it.
      const stages = [{ $unset: 'used' }, fresh, counted];
      if ((await quotas.updateOne(unchanged, stages)).matchedCount === 1) return;
    }
  }

  function recount(account: string): Promise<void> {
    const running = recounts.get(account) ?? recountOnce(account).finally(() => recounts.delete(account));
    recounts.set(account, running);
    return running;
  }

  /** Returns what the account has then; undefined if there is no room. */
  async function hold(account: string, id: string, held: Amounts<N>): Promise<QuotaDoc | undefined> {
    const entries = entriesOf(held);
    const room = entries.map(([name, amount]) => [`used.${name}`, { $lte: limits[name].most - amount }]);
    const filter = { _id: account, account, [LAST_PENDING]: { $exists: false }, ...Object.fromEntries(room) };
    const change = { id: literal(id), at: '$$NOW', held: literal(held) };
    const stage = compute({
      ...added(entries),
      pending: { $concatArrays: ['$pending', [change]] },
      version: { $add: ['$version', 1] },
    });
    return (await quotas.findOneAndUpdate(filter, [stage], { returnDocument: 'after' })) ?? undefined;
  }

  async function holdOrCount(account: string, id: string, most: Amounts<N>): Promise<QuotaDoc> {
    let isCounted = false;
    for (let tries = 0; tries < TRIES; tries++) {
      const held = await hold(account, id, most);
      if (held !== undefined) return held;
      const found = await read(account);
      if (!found || (!isCounted && isDue(found, found.now))) {
        await recount(account);
        isCounted = found !== undefined;
      } else {
        // Or else others have made room since.
        const over = entriesOf(most).find(([name, amount]) => (found.used[name] ?? 0) + amount > limits[name].most);
        if (over) {
          await quotas.updateOne({ _id: account, account }, reached(over[0], limits[over[0]].most));
          throw refusal(over[0], found.used[over[0]] ?? 0);
        }
      }
    }
    throw unavailable('The account is being changed by many requests at once. Try again.');
  }

  function refusal(name: N, used: number): QuotaExceeded {
    const { most, what, setting } = limits[name];
    return new QuotaExceeded(
      `An account may have ${figure(most)} ${what} (${setting}), and this one has ${figure(used)}. Delete some of them first.`,
    );
  }

  /** Never fails: what can't be settled is counted again. */
  async function settle(account: string, held: Amounts<N>, counted: Amounts<N>, before: QuotaDoc): Promise<void> {
    const { id } = before.pending.at(-1)!;
    const differences = names.map((name) => [name, (counted[name] ?? 0) - (held[name] ?? 0)] as [N, number]);
    const stage = compute({
      ...added(differences.filter(([, amount]) => amount !== 0)),
      pending: { $filter: { input: '$pending', cond: { $ne: ['$$this.id', literal(id)] } } },
      version: { $add: ['$version', 1] },
    });
    const near = names.filter((name) => isNear(limits[name].most, before.used[name] ?? 0, before.announced?.[name]));
    const announced = near.flatMap((name) => announcements(name, limits[name].most));
    try {
      const settled = await quotas.updateOne({ _id: account, account, 'pending.id': id }, [stage, ...announced]);
      // It took so long that the account was counted without it.
      if (settled.matchedCount === 0) await outdate(account);
    } catch {}
  }

  async function used(account: string): Promise<Record<N, number>> {
    let found = await read(account);
    if (!found || isDue(found, found.now)) {
      await recount(account);
      found = (await read(account)) ?? found;
    }
    return Object.fromEntries(names.map((name) => [name, Math.max(0, found?.used[name] ?? 0)])) as Record<N, number>;
  }

  async function outdate(account: string): Promise<void> {
    await quotas.updateOne({ _id: account, account }, { $unset: { counted_at: 1 } });
  }

  return {
    limits,
    used,
    outdate,

    async change(account, most, work, found) {
      const id = randomId();
      let before: QuotaDoc;
      try {
        before = await holdOrCount(account, id, most);
      } catch (error) {
        const earlier = error instanceof QuotaExceeded ? await found?.() : undefined;
        if (earlier) return earlier;
        throw error;
      }
      let done: Awaited<ReturnType<typeof work>>;
      try {
        done = await work();
      } catch (error) {
        if (isAppError(error) && error.code !== 'unavailable') await settle(account, most, {}, before);
        throw error;
      }
      const settled = settle(account, most, done.counted, before);
      const isAsHeld = names.every((name) => (done.counted[name] ?? 0) === (most[name] ?? 0));
      // What was held is in use already, so that nobody has to wait.
      if (!isAsHeld) await settled;
      if (isDue(before, before.pending.at(-1)!.at)) void settled.then(() => recount(account)).catch(() => {});
      return done.result;
    },

    async check(account, more) {
      const has = await used(account);
      const over = entriesOf(more).find(([name, amount]) => has[name] + amount > limits[name].most);
      if (over) throw refusal(over[0], has[over[0]]);
    },

    erase: eraseFrom(quotas),
  };
}

const LAST_PENDING = `pending.${MAX_PENDING - 1}`;

const entriesOf = <N extends string>(amounts: Amounts<N>): [N, number][] =>
  (Object.entries(amounts) as [N, number][]).filter(([, amount]) => amount > 0);

const added = (amounts: readonly [string, number][]) =>
  Object.fromEntries(amounts.map(([name, amount]) => [`used.${name}`, { $add: [`$used.${name}`, amount] }]));

const figure = (amount: number): string => amount.toLocaleString('en');
