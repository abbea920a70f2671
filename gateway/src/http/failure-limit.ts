import { LRUCache } from 'lru-cache';
import { HttpError } from './http-error.ts';

/** How often an address may fail to authenticate. */
export interface FailureLimit {
  /** Counts a failure. Returns a 429, and counts nothing, if the address has reached its limit for this minute. */
  take(address: string): HttpError | undefined;
  /** Uncounts an attempt that did not fail. */
  giveBack(address: string): void;
}

const WINDOW_MS = 60_000;
const MAX_ADDRESSES = 10_000;

/** Counts per address and minute, in this process only. Beyond 10,000 addresses it forgets the oldest. */
export function createFailureLimit(options: {
  /** 0: unlimited. */
  perMinute: number;
  maxAddresses?: number;
  clock?: () => number;
}): FailureLimit {
  const { perMinute: limit, maxAddresses = MAX_ADDRESSES, clock = Date.now } = options;
  const counts = new LRUCache<string, { window: number; failures: number }>({ max: maxAddresses });

  return {
    take(address) {
      if (limit === 0) return undefined;
      const now = clock();
      const window = Math.floor(now / WINDOW_MS);
      const known = counts.get(address);
      const failures = known?.window === window ? known.failures : 0;
      if (failures >= limit) {
        const seconds = Math.ceil(((window + 1) * WINDOW_MS - now) / 1000);
        return new HttpError(429, `Too many failed authentications from this address. Try again in ${seconds} s.`, {
          'Retry-After': String(seconds),
        });
      }
      counts.set(address, { window, failures: failures + 1 });
      return undefined;
    },
    giveBack(address) {
      const known = counts.get(address);
      if (known && known.failures > 0) known.failures -= 1;
    },
  };
}
