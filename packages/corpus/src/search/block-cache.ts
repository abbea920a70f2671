import type { Block, OpenBuild } from '../build/open-build.ts';

export interface BlockCache {
  get(build: OpenBuild, first: number): Block;
  /** Forgets a build that is closed. */
  forget(build: OpenBuild): void;
}

/** Keeps the blocks of vectors that were used last; with too little room for all that are searched, each is read again. */
export function createBlockCache(maxBytes: number): BlockCache {
  const kept = new Map<string, { build: OpenBuild; block: Block }>(); // least recently used first
  let bytes = 0;

  function drop(key: string) {
    bytes -= kept.get(key)!.block.rows.length;
    kept.delete(key);
  }

  return {
    get(build, first) {
      const key = `${build.id} ${first}`;
      const block = kept.get(key)?.block ?? build.block(first);
      if (kept.has(key)) drop(key);
      for (const oldest of kept.keys()) {
        if (bytes + block.rows.length <= maxBytes) break;
        drop(oldest);
      }
      if (block.rows.length > maxBytes) return block;
      kept.set(key, { build, block });
      bytes += block.rows.length;
      return block;
    },
    forget(build) {
      for (const [key, each] of kept) if (each.build === build) drop(key);
    },
  };
}
