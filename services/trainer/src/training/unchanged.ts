import { type ChunkOrigin, type Corpus, type EmbeddingUsage, type TrainingJob, textHash } from '@parley/corpus';
import type { Source } from '../sources/source.ts';
import type { ChunkSample } from './chunk-sample.ts';
import { SPLITTING } from './split.ts';

/** Chunks copied per batch. */
const BATCH = 100;

/** A source as the live build has it. */
export interface LiveSource {
  source: string;
  origin: ChunkOrigin;
  /** How many of its chunks to keep, from the first. */
  kept: number;
}

/**
 * What the live build has of the same sources. While all that is loaded stands in it unchanged, a run writes no chunks; at
 * the first difference, it copies what it has found unchanged so far to its own build, and each later one at once.
 */
export interface Unchanged {
  /** The sources that the live build has exactly as they are now, if it was made with this model. */
  find(sources: readonly Source[], model: string | null): Promise<Map<string, ChunkOrigin>>;
  /** Takes sources over from the live build. */
  keep(sources: readonly LiveSource[], signal: AbortSignal): Promise<void>;
  /** Before the run's own chunks are written. */
  differs(signal: AbortSignal): Promise<void>;
  /** Whether the live build is what the run would write: all of it was kept, and nothing else was written. */
  readonly isAll: boolean;
}

export function createUnchanged(
  job: TrainingJob,
  corpus: Corpus,
  usage: EmbeddingUsage,
  sample: ChunkSample,
): Unchanged {
  const { account, document } = job;
  const { live } = document;
  const kept: LiveSource[] = [];
  let keptChunks = 0;
  let isPartial = false;
  let copied: Promise<void> | undefined;
  let isComplete: Promise<boolean> | undefined;

  const hasAllChunks = async () => live !== null && (await corpus.chunks.count(account, live.build)) === live.chunks;

  async function copy(sources: readonly LiveSource[], signal: AbortSignal) {
    for (let from = 0; from < sources.length; ) {
      let to = from;
      for (let chunks = 0; to < sources.length && (chunks === 0 || chunks + sources[to]!.kept <= BATCH); to++)
        chunks += sources[to]!.kept;
      const chunks = await corpus.chunks.of(account, live!.build, sources.slice(from, to));
      signal.throwIfAborted();
      await corpus.chunks.insert(job, chunks);
      sample.offer(chunks);
      from = to;
    }
  }

  return {
    async find(sources, model) {
      if (!live || live.model !== model || sources.length === 0) return new Map();
      isComplete ??= hasAllChunks();
      if (!(await isComplete)) return new Map();
      const ids = sources.map(({ id }) => id);
      const origins = await corpus.chunks.origins(account, live.build, ids);
      const same = sources.filter((source) => origins.get(source.id)?.hash === originHash(source));
      return new Map(same.map(({ id }) => [id, origins.get(id)!]));
    },
    async keep(sources, signal) {
      for (const source of sources) {
        usage.reused += live?.model ? source.kept : 0;
        keptChunks += source.kept;
        isPartial ||= source.kept < source.origin.chunks;
      }
      if (!copied) kept.push(...sources);
      else {
        await copied;
        await copy(sources, signal);
      }
    },
    async differs(signal) {
      copied ??= copy(kept, signal);
      await copied;
    },
    get isAll() {
      return !copied && !isPartial && keptChunks > 0 && keptChunks === live?.chunks;
    },
  };
}

/** Of all that decides about the chunks of a source. */
export function originHash({ title, url, text, isBlocks, isOneSection, language }: Source): string {
  return textHash(JSON.stringify([SPLITTING, title, url, text, isBlocks, isOneSection, language]));
}
