import type { BuildIndex } from './build-index.ts';

export interface BuildCache {
  /** The index of a build: builds never change, so one that was loaded once stays right. Rejects as `load` does. */
  get(buildId: string, load: () => Promise<BuildIndex>): Promise<BuildIndex>;
  /** Held now; what is being loaded is not counted yet. */
  readonly bytes: number;
}

export interface BuildCacheOptions {
  maxBytes: number;
}

/**
 * Keeps the builds used last, up to `maxBytes`. Whoever asks for a build that is being loaded waits for the same load.
 * A failed load is not remembered; a build larger than the whole cache is handed out and not kept.
 */
export function createBuildCache({ maxBytes }: BuildCacheOptions): BuildCache {
  const kept = new Map<string, BuildIndex>(); // least recently used first
  const loading = new Map<string, Promise<BuildIndex>>();
  let bytes = 0;

  async function loadAndKeep(buildId: string, load: () => Promise<BuildIndex>): Promise<BuildIndex> {
    const index = await load();
    if (index.bytes <= maxBytes) keep(buildId, index);
    return index;
  }

  function keep(buildId: string, index: BuildIndex) {
    kept.set(buildId, index);
    bytes += index.bytes;
    for (const [oldest, { bytes: freed }] of kept) {
      if (bytes <= maxBytes) break;
      kept.delete(oldest);
      bytes -= freed;
    }
  }

  return {
    async get(buildId, load) {
      const index = kept.get(buildId);
      if (index) {
        kept.delete(buildId);
        kept.set(buildId, index);
        return index;
      }
      const pending = loading.get(buildId) ?? loadAndKeep(buildId, load).finally(() => loading.delete(buildId));
      loading.set(buildId, pending);
      return pending;
    },
    get bytes() {
      return bytes;
    },
  };
}
