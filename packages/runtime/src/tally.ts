import { unavailableDoNotRetry } from './errors.ts';

/** Amounts by name, such as requests in progress by account. */
export interface Tally {
  of(name: string): number;
  add(name: string, amount: number): void;
}

/** Keeps no name whose amount is 0, so it is no larger than what is in progress. */
export function createTally(): Tally {
  const amounts = new Map<string, number>();
  const of = (name: string) => amounts.get(name) ?? 0;
  return {
    of,
    add(name, amount) {
      const now = of(name) + amount;
      if (now > 0) amounts.set(name, now);
      else amounts.delete(name);
    },
  };
}

/** Returns the share of a limit that one account may take: half, so that no account locks out the others. At least 1. */
export const accountShare = (limit: number): number => Math.max(1, Math.floor(limit / 2));

/** Work in progress in this process, of which one account may have half. */
export interface Shares {
  /** Counts a piece of work until it is disposed of, once. @throws what `refused` returns if there is no room */
  begin(account: string): Disposable;
  held(): number;
}

export function createShares(
  most: number,
  refused: { account(most: number): Error; all(): Error } = {
    account: () => unavailableDoNotRetry('This account has too much of this in progress. Try again in a moment.'),
    all: () => unavailableDoNotRetry('Too much of this is in progress. Try again in a moment.'),
  },
): Shares {
  const byAccount = createTally();
  const perAccount = accountShare(most);
  let total = 0;
  return {
    held: () => total,
    begin(account) {
      if (byAccount.of(account) >= perAccount) throw refused.account(perAccount);
      if (total >= most) throw refused.all();
      let isHeld = true;
      const add = (change: 1 | -1) => {
        total += change;
        byAccount.add(account, change);
      };
      add(1);
      return {
        [Symbol.dispose]() {
          if (isHeld) add(-1);
          isHeld = false;
        },
      };
    },
  };
}

/** Background work in progress in this process, of which one account may have half. */
export interface Turns {
  /** Returns whether no more may begin. */
  isFull(): boolean;
  /** The accounts that have their share. */
  busy(): string[];
  /** Counts work of an account until it ends. It must not reject. */
  begin(account: string, work: Promise<void>): void;
  /** Resolves once all that has begun has ended. */
  ended(): Promise<unknown>;
}

export function createTurns(most: number): Turns {
  const inProgress = new Map<Promise<void>, string>();
  const byAccount = createTally();
  return {
    isFull: () => inProgress.size >= most,
    busy: () => [...new Set(inProgress.values())].filter((account) => byAccount.of(account) >= accountShare(most)),
    begin(account, work) {
      byAccount.add(account, 1);
      const counted = work.finally(() => {
        byAccount.add(account, -1);
        inProgress.delete(counted);
      });
      inProgress.set(counted, account);
    },
    ended: () => Promise.all(inProgress.keys()),
  };
}
