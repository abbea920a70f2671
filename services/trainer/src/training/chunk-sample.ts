import { type IndexedChunk, textHash } from '@parley/corpus';

/** Chunks that a build's calibration is computed from: most builds have fewer. 12 MB with vectors of 1,536 numbers. */
const SIZE = 1_500;

/** A sample of a build's chunks, whole sections, which depends only on what they say, not on their order. */
export interface ChunkSample {
  offer(chunks: readonly SampledChunk[]): void;
  readonly chunks: IndexedChunk[];
}

export type SampledChunk = Omit<IndexedChunk, 'id' | 'vector'> & { vector: Float32Array | null };

/** Keeps the sections with the lowest hashes: hashes are as good as random. */
export function createChunkSample(size = SIZE): ChunkSample {
  const sections = new Map<string, IndexedChunk[]>();
  let kept = 0;
  let bound = '';

  function shrink() {
    for (const key of [...sections.keys()].sort().reverse()) {
      const { length } = sections.get(key)!;
      if (kept - length < size / 2) return;
      sections.delete(key);
      kept -= length;
      bound = key;
    }
  }

  return {
    offer(chunks) {
      for (const { vector, ...chunk } of chunks) {
        const key = textHash(JSON.stringify([chunk.source, chunk.section]));
        if (bound !== '' && key >= bound) continue;
        const section = sections.get(key) ?? [];
        sections.set(key, section);
        section.push({ id: `${chunk.source}#${chunk.index}`, ...chunk, ...(vector && { vector }) });
        kept += 1;
      }
      if (kept > size) shrink();
    },
    get chunks() {
      return [...sections].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, chunks]) => chunks);
    },
  };
}
