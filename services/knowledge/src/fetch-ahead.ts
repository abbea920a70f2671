import type { BuildFiles, Corpus, SearchPool } from '@parley/corpus';
import { createLoop, type Log, type Loop } from '@parley/runtime';

/** Fetches the next builds of items that are being asked about. */
export interface FetchAhead extends Loop {
  /** Follows the items of a search, each until its next build is here. */
  follow(account: string, live: ReadonlyMap<string, { readonly build: string }>): void;
}

interface Followed {
  readonly account: string;
  readonly build: string;
  readonly at: number;
}

const REST_MS = 2_000;
/** Items that are followed: those that were searched last. */
const MAX_FOLLOWED = 1_000;
const FOLLOWED_MS = 10 * 60_000;

/**
 * Fetches a build soon after it is published, so that no question waits for it; the one before it answers until then. Only items
 * that were searched in this process since it last fetched a build of theirs are followed: those of an account whose questions
 * go elsewhere by now are not.
 */
export function createFetchAhead(options: {
  corpus: Corpus;
  files: BuildFiles;
  pool: SearchPool;
  log: Log;
}): FetchAhead {
  const { corpus, files, pool, log } = options;
  const followed = new Map<string, Followed>(); // by item, the one searched longest ago first

  function shorten() {
    const since = performance.now() - FOLLOWED_MS;
    for (const [item, { at }] of followed) {
      if (at >= since && followed.size <= MAX_FOLLOWED) break;
      followed.delete(item);
    }
  }

  async function round(signal: AbortSignal) {
    shorten();
    if (followed.size === 0) return;
    for (const { _id, account, live } of await corpus.items.replaced(followed)) {
      signal.throwIfAborted();
      followed.delete(_id);
      using lease = await files.lease([{ account, build: live.build, ...live.file }]);
      await pool.open(lease.paths.get(live.build)!);
    }
  }

  return {
    ...createLoop({ name: 'fetching of new builds', restMs: REST_MS, log, round }),
    follow(account, live) {
      for (const [item, { build }] of live) {
        followed.delete(item); // and put it last
        followed.set(item, { account, build, at: performance.now() });
      }
      shorten();
    },
  };
}
