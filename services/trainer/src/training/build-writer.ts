import { type Corpus, type Embedder, type NewChunk, type TrainingJob, textHash } from '@parley/corpus';
import type { Reader } from '../reading/readers.ts';
import { splitTexts } from '../reading/split-texts.ts';
import type { Source } from '../sources/source.ts';
import type { Ledger, LeftOut } from './limits.ts';
import type { Piece } from './split.ts';
import type { VectorSample } from './vector-sample.ts';

/** Chunks embedded and stored per batch. */
const BATCH = 32;

/** What was stored for one step. */
export interface Written {
  chunks: number;
  /** Texts with at least one stored chunk. */
  sources: number;
  /** In chunks, including their titles, headings and addresses. */
  characters: number;
  /** For the first text that was not stored completely. */
  leftOut: LeftOut | undefined;
}

export type WriteSources = (sources: readonly Source[], signal: AbortSignal) => Promise<Written>;

type Passage = Omit<NewChunk, 'vector' | 'text_hash'>;

/**
 * Splits texts, embeds their chunks and stores them in the job's build, within the ledger's limits. Vectors of unchanged
 * texts are taken from earlier builds with the same model.
 */
export function createBuildWriter(
  job: TrainingJob,
  corpus: Corpus,
  embedder: Embedder | null,
  reader: Reader,
  ledger: Ledger,
  sample: VectorSample,
): WriteSources {
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

  async function writeBatch(chunks: readonly Passage[], signal: AbortSignal) {
    const texts = chunks.map(embedded);
    const hashes = texts.map(textHash);
    const made = await vectors(texts, hashes, signal);
    const complete = chunks.map((chunk, i) => ({ ...chunk, text_hash: hashes[i]!, vector: made[i]! }));
    signal.throwIfAborted();
    await corpus.chunks.insert(job, complete);
    for (const { text_hash, vector } of complete) sample.offer(text_hash, vector);
  }

  return async (sources, signal) => {
    // One more than the limit, to detect that there are more.
    const wanted = await splitTexts(reader, sources, ledger.isFull ? 1 : ledger.pageChunks + 1, signal);
    const granted = sources.flatMap((source, i) => {
      const pieces = wanted[i]!;
      return chunksOf(source, pieces.slice(0, ledger.grant(pieces.length)));
    });
    const written: Passage[] = [];
    while (written.length < granted.length && !ledger.isLate) {
      const batch = granted.slice(written.length, written.length + BATCH);
      await writeBatch(batch, signal);
      written.push(...batch);
    }
    return summaryOf(sources, wanted, written, ledger);
  };
}

function summaryOf(
  sources: readonly Source[],
  wanted: readonly (readonly Piece[])[],
  written: readonly Passage[],
  ledger: Ledger,
): Written {
  const bySource = new Map<string, number>();
  let characters = 0;
  for (const { source, text, title, url, headings = [] } of written) {
    bySource.set(source, (bySource.get(source) ?? 0) + 1);
    characters += text.length + title.length + url.length + headings.join('').length;
  }
  const leftOut = sources.flatMap(({ id }, i) => ledger.leftOut(wanted[i]!.length, bySource.get(id) ?? 0) ?? []);
  return { chunks: written.length, sources: bySource.size, characters, leftOut: leftOut[0] };
}

function chunksOf({ id, title, url, language }: Source, pieces: readonly Piece[]): Passage[] {
  return pieces.map(({ text, headings, section, anchor, url: own, joint }, index) => ({
    source: id,
    index,
    title,
    url: own ?? (anchor === undefined || !url ? url : `${url}#${fragmentOf(anchor)}`),
    text,
    headings: [...headings],
    section,
    ...(joint && { joint }),
    ...(language && { language }),
  }));
}

/** As a browser writes it, with whatever an id may contain. */
const fragmentOf = (anchor: string): string => encodeURIComponent(anchor.toWellFormed());

/** A passage from the middle of a page often does not name its topic; the title and the headings do. */
const embedded = ({ title, headings = [], text }: Passage): string =>
  [[title, ...headings.filter((heading) => heading !== title)].join('\n'), text].join('\n\n');
