import { type ChunkOrigin, type EmbeddingUsage, type TrainingJob, textHash } from '@parley/corpus';
import { SPLITTING } from '@parley/reading/split';
import type { Source } from '../sources/source.ts';
import type { RunFile } from './build-file.ts';
import type { ChunkSample } from './chunk-sample.ts';
import type { FormerBuilds } from './former-builds.ts';

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
 * Finds the chunks that the live build has of the same sources. While all that is loaded stands in it unchanged, a run writes no chunks; at
 * the first difference, it copies what it has found unchanged so far to its own build, and each later one at once.
 */
export interface Unchanged {
  /** The sources that the live build has exactly as they are now, if it was made with this model. */
  find(sources: readonly Source[], model: string | null): Promise<Map<string, ChunkOrigin>>;
  /** Takes sources over from the live build. */
  keep(sources: readonly LiveSource[], signal: AbortSignal): Promise<void>;
  /** Before the run's own chunks are written. */
  differs(signal: AbortSignal): Promise<void>;
  /** True if the live build is what the run would write: all of it was kept, and nothing else was written. */
  readonly isAll: boolean;
}

export function createUnchanged(
  job: TrainingJob,
  { file, former }: { file: Pick<RunFile, 'add'>; former: Pick<FormerBuilds, 'live'> },
  usage: EmbeddingUsage,
  sample: ChunkSample,
): Unchanged {
  const { live } = job.document;
  const kept: LiveSource[] = [];
  let keptChunks = 0;
  let isPartial = false;
  let copied: Promise<void> | undefined;

  async function copy(sources: readonly LiveSource[], signal: AbortSignal) {
    for (let from = 0; from < sources.length; ) {
      let to = from;
      for (let chunks = 0; to < sources.length && (chunks === 0 || chunks + sources[to]!.kept <= BATCH); to++)
        chunks += sources[to]!.kept;
      const build = (await former.live())!;
      const chunks = sources.slice(from, to).flatMap(({ source, kept, origin }) =>
        build.ofSource(source, kept).map(({ origin: of, ...chunk }) => ({
          ...chunk,
          ...(of && kept === origin.chunks && { origin: of }),
        })),
      );
      signal.throwIfAborted();
      await file.add(chunks);
      sample.offer(chunks);
      from = to;
    }
  }

  return {
    async find(sources, model) {
      if (!live || live.model !== model || sources.length === 0) return new Map();
      const build = await former.live();
      const origins = sources.map((source) => ({ source, origin: build?.origin(source.id) }));
      return new Map(
        origins.flatMap(({ source, origin }) => (origin?.hash === originHash(source) ? [[source.id, origin]] : [])),
      );
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

/** Hashes everything that the chunks of a source depend on. */
export function originHash({ title, url, text, isBlocks, isOneSection, language }: Source): string {
  return textHash(JSON.stringify([SPLITTING, title, url, text, isBlocks, isOneSection, language]));
}
