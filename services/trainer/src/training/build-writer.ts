import { type Corpus, type Embedder, type NewChunk, type TrainingJob, textHash } from '@parley/corpus';
import type { Source } from '../sources/source.ts';
import { split } from './split.ts';

/** Chunks that are embedded and stored together. */
const BATCH = 32;

export type WriteSources = (sources: readonly Source[], signal: AbortSignal) => Promise<number>;

/**
 * Splits texts, embeds their chunks and stores them in the job's build; gives the number of chunks. A chunk whose text an
 * earlier build has with the same model takes its vector from there.
 */
export function createBuildWriter(job: TrainingJob, corpus: Corpus, embedder: Embedder | null): WriteSources {
  async function vectors(texts: readonly string[], hashes: readonly string[], signal: AbortSignal) {
    if (!embedder) return texts.map(() => null);
    const known = await corpus.chunks.knownVectors(job, embedder.model, hashes);
    const missing = texts.filter((_, i) => !known.has(hashes[i]!));
    const made = missing.length > 0 ? await embedder.embed(missing, signal) : [];
    missing.forEach((text, i) => {
      known.set(textHash(text), made[i]!);
    });
    return hashes.map((hash) => known.get(hash)!);
  }

  async function writeBatch(chunks: readonly Omit<NewChunk, 'vector' | 'text_hash'>[], signal: AbortSignal) {
    const texts = chunks.map(embedded);
    const hashes = texts.map(textHash);
    const made = await vectors(texts, hashes, signal);
    const complete = chunks.map((chunk, i) => ({ ...chunk, text_hash: hashes[i]!, vector: made[i]! }));
    signal.throwIfAborted();
    await corpus.chunks.insert(job, complete);
  }

  return async (sources, signal) => {
    const chunks = (await Promise.all(sources.map(chunksOf))).flat();
    for (let i = 0; i < chunks.length; i += BATCH) await writeBatch(chunks.slice(i, i + BATCH), signal);
    return chunks.length;
  };
}

const chunksOf = async ({ id, title, url, text }: Source) =>
  (await split(text)).map((piece, index) => ({ source: id, index, title, url, text: piece }));

/** A piece out of the middle of a page often does not name what it is about: its title does. */
const embedded = ({ title, text }: { title: string; text: string }): string => `${title}\n\n${text}`;
