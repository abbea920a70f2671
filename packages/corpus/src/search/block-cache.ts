import { LRUCache } from 'lru-cache';
import type { Block, OpenBuild } from '../build/open-build.ts';

export interface BlockCache {
  get(build: OpenBuild, first: number): Block;
  /** Forgets a build that is closed. */
  forget(build: OpenBuild): void;
}

/** Keeps the blocks of vectors that were used last; with too little room for all that are searched, each is read again. */
export function createBlockCache(maxBytes: number): BlockCache {
  const kept = new LRUCache<string, Block>({
    maxSize: Math.max(1, Math.floor(maxBytes)),
    sizeCalculation: ({ rows }) => Math.max(1, rows.length),
  });
  return {
    get(build, first) {
      const key = `${build.id} ${first}`;
      const known = kept.get(key);
      if (known) return known;
      const block = build.block(first);
      kept.set(key, block);
      return block;
    },
    forget(build) {
      for (const key of [...kept.keys()]) if (key.startsWith(`${build.id} `)) kept.delete(key);
    },
  };
}
