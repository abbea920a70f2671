import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '@parley/runtime/rpc';
import { LRUCache } from 'lru-cache';
import type { HttpError } from './http-error.ts';

/** Checks the keys of an address that has failed too often, slowly: one of them may be valid. */
export interface SlowLane {
  /**
   * Runs the check when it is the address's turn, once for concurrent requests with the same key.
   *
   * @param refusal thrown if the key is not valid, was not a minute ago, or would have to wait for more than a second
   */
  check<T>(address: string, keyHash: string, refusal: HttpError, check: () => Promise<T>): Promise<T>;
}

/** Time between two checks of one address. */
const SPACING_MS = 50;
const MAX_WAIT_MS = 1_000;
/** A key that was refused is not checked again for so long: usually it is one client that repeats a stale key. */
const REFUSED_MS = 60_000;
const MAX_KNOWN = 10_000;

export function createSlowLane(clock: () => number = Date.now): SlowLane {
  /** By address: when its next check may start. */
  const free = new LRUCache<string, number>({ max: MAX_KNOWN });
  /** By hash of the key: until when it is taken for invalid. */
  const refused = new LRUCache<string, number>({ max: MAX_KNOWN });
  const checking = new Map<string, Promise<unknown>>();

  async function inTurn<T>(address: string, hash: string, refusal: HttpError, check: () => Promise<T>): Promise<T> {
    const now = clock();
    const start = Math.max(now, free.get(address) ?? 0);
    if ((refused.get(hash) ?? 0) > now || start - now > MAX_WAIT_MS) throw refusal;
    free.set(address, start + SPACING_MS);
    await sleep(start - now);
    try {
      return await check();
    } catch (error) {
      if (codeOf(error) !== 'unauthenticated') throw error;
      refused.set(hash, clock() + REFUSED_MS);
      throw refusal;
    }
  }

  return {
    check(address, hash, refusal, check) {
      const running = checking.get(hash) ?? inTurn(address, hash, refusal, check).finally(() => checking.delete(hash));
      checking.set(hash, running);
      return running as ReturnType<typeof check>;
    },
  };
}
