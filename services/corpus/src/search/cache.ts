import type { BuildIndex } from './build-index.ts';

/** A build that a search needs in memory. */
export interface NeededBuild {
  account: string;
  build: string;
  /** An upper estimate of the memory that loading it takes. */
  bytes: number;
}

/** Loads a build, reporting its memory so far to `grown`, which throws if there is not enough. */
export type LoadBuild = (grown: (bytes: number) => void) => Promise<BuildIndex>;

/** Builds that a search has reserved; they stay in memory until the lease is disposed of. */
export interface BuildLease extends Disposable {
  /**
   * The index of a build; builds are immutable, so a cached one stays valid. Rejects as `load` does, or with
   * MemoryExceeded for a build that was not reserved and does not fit.
   */
  get(needed: NeededBuild, load: LoadBuild): Promise<BuildIndex>;
}

export interface BuildCache {
  /** Reserves memory for all of them before the first is loaded. @throws MemoryExceeded */
  lease(needed: readonly NeededBuild[]): BuildLease;
  /** Drops the builds of an account, those in use as soon as their searches end. */
  forget(account: string): void;
  /** Memory of the builds that are kept, in use or loading. */
  readonly bytes: number;
}

export interface BuildCacheOptions {
  /** Memory for builds that no search is using; the most recently used are kept. */
  keepBytes: number;
  /** Memory for all builds together. */
  maxBytes: number;
}

/** A search would need more memory than is available for builds. */
export class MemoryExceeded extends Error {
  override readonly name = 'MemoryExceeded';
  /** What the search needs by itself. */
  readonly bytes: number;
  readonly maxBytes: number;

  constructor(bytes: number, maxBytes: number) {
    super(`the search needs builds of ${bytes} bytes; the limit is ${maxBytes}`);
    this.bytes = bytes;
    this.maxBytes = maxBytes;
  }

  /** Whether this search is too large by itself; otherwise it will fit once others have ended. */
  get alone(): boolean {
    return this.bytes > this.maxBytes;
  }
}

interface Entry {
  account: string;
  /** Not kept once no search is using it. */
  forgotten?: true;
  /** The reservation until the index is loaded, then the index's own size. */
  bytes: number;
  /** Leases, and the load. */
  holders: number;
  index?: BuildIndex;
  loading?: Promise<BuildIndex> | undefined;
}

/**
 * The builds in memory, each once. Unused builds are evicted for those that a search needs. Concurrent requests for a build
 * share one load. A failed load is not cached.
 */
export function createBuildCache({ keepBytes, maxBytes }: BuildCacheOptions): BuildCache {
  const entries = new Map<string, Entry>(); // least recently used first
  let total = 0;

  function drop(build: string, { bytes }: Entry) {
    entries.delete(build);
    total -= bytes;
  }

  /** Evicts unused builds until `more` bytes fit; evicts none if that would not be enough. */
  function makeRoom(more: number, spared: ReadonlySet<string> = new Set()): boolean {
    const kept = [...entries].filter(([build, { holders }]) => holders === 0 && !spared.has(build));
    const free = kept.reduce((sum, [, { bytes }]) => sum + bytes, maxBytes - total);
    if (more > free) return false;
    for (const [build, entry] of kept) {
      if (total + more <= maxBytes) break;
      drop(build, entry);
    }
    return true;
  }

  function reserve(needed: readonly NeededBuild[]): Map<string, Entry> {
    const wanted = new Map(needed.map((each) => [each.build, each]));
    const absent = [...wanted].filter(([build]) => !entries.has(build));
    const more = absent.reduce((sum, [, { bytes }]) => sum + bytes, 0);
    if (!makeRoom(more, new Set(wanted.keys()))) {
      const present = [...wanted.keys()].reduce((sum, build) => sum + (entries.get(build)?.bytes ?? 0), 0);
      throw new MemoryExceeded(present + more, maxBytes);
    }
    const reserved = new Map<string, Entry>();
    for (const [build, { account, bytes }] of wanted) {
      const entry = entries.get(build) ?? { account, bytes, holders: 0 };
      if (!entries.has(build)) total += bytes;
      entries.delete(build); // and put it last
      entries.set(build, entry);
      entry.holders++;
      reserved.set(build, entry);
    }
    return reserved;
  }

  function release(build: string, entry: Entry) {
    if (--entry.holders > 0) return;
    if (!entry.index || entry.forgotten || entry.bytes > keepBytes) drop(build, entry);
    let kept = [...entries.values()].reduce((sum, { bytes, holders }) => (holders === 0 ? sum + bytes : sum), 0);
    for (const [oldest, each] of entries) {
      if (kept <= keepBytes && total <= maxBytes) break;
      if (each.holders > 0) continue;
      drop(oldest, each);
      kept -= each.bytes;
    }
  }

  function resize(entry: Entry, bytes: number) {
    total += bytes - entry.bytes;
    entry.bytes = bytes;
  }

  async function loadInto(build: string, entry: Entry, load: LoadBuild): Promise<BuildIndex> {
    entry.holders++;
    try {
      const index = await load((bytes) => {
        if (bytes <= entry.bytes) return;
        if (!makeRoom(bytes - entry.bytes)) throw new MemoryExceeded(bytes, maxBytes);
        resize(entry, bytes);
      });
      entry.index = index;
      resize(entry, index.bytes);
      return index;
    } finally {
      entry.loading = undefined;
      release(build, entry);
    }
  }

  return {
    lease(needed) {
      const reserved = reserve(needed);
      let isOver = false;
      return {
        async get(need, load) {
          if (isOver) throw new Error('the search has ended');
          if (!reserved.has(need.build)) for (const [build, entry] of reserve([need])) reserved.set(build, entry);
          const entry = reserved.get(need.build)!;
          if (entry.index) return entry.index;
          entry.loading ??= loadInto(need.build, entry, load);
          return entry.loading;
        },
        [Symbol.dispose]() {
          isOver = true;
          for (const [build, entry] of reserved) release(build, entry);
          reserved.clear();
        },
      };
    },
    forget(account) {
      for (const [build, entry] of entries) {
        if (entry.account !== account) continue;
        if (entry.holders > 0) entry.forgotten = true;
        else drop(build, entry);
      }
    },
    get bytes() {
      return total;
    },
  };
}
