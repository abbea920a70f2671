import { type Corpus, type NewChunk, type TrainingJob, textHash } from '@parley/corpus';
import type { Reader } from '../reading/readers.ts';
import { splitTexts } from '../reading/split-texts.ts';
import type { Source, Written } from '../sources/source.ts';
import type { ChunkSample } from './chunk-sample.ts';
import type { Ledger } from './limits.ts';
import type { Piece } from './split.ts';
import { type LiveSource, originHash, type Unchanged } from './unchanged.ts';
import type { Vectors } from './vectors.ts';

/** Chunks embedded and stored per batch. */
const BATCH = 32;

/** Returns what was stored of each, in their order. */
export type WriteSources = (sources: readonly Source[], signal: AbortSignal) => Promise<Written[]>;

export type Passage = Omit<NewChunk, 'vector' | 'text_hash'>;

export interface BuildWriter {
  job: TrainingJob;
  corpus: Corpus;
  /** Of the build's model; null without one. */
  vectors: Vectors | null;
  model: string | null;
  reader: Reader;
  ledger: Ledger;
  sample: ChunkSample;
  unchanged: Unchanged;
}

/**
 * Writes texts to the job's build, within the ledger's limits: those that the live build has are taken from it, the others
 * are split, embedded and stored.
 */
export function createBuildWriter(parts: BuildWriter): WriteSources {
  const { ledger, model, unchanged } = parts;
  return async (sources, signal) => {
    const origins = await unchanged.find(sources, model);
    const changed = sources.filter(({ id }) => !origins.has(id));
    const written = new Map(changed.length > 0 ? await writeChanged(parts, changed, signal) : []);
    const kept: LiveSource[] = [];
    for (const source of sources) {
      const origin = origins.get(source.id);
      if (!origin) continue;
      const chunks = ledger.isLate ? 0 : ledger.grant(origin.chunks);
      if (chunks > 0) kept.push({ source: source.id, origin, kept: chunks });
      const characters = Math.round((origin.characters * chunks) / origin.chunks);
      written.set(source, { chunks, characters, leftOut: ledger.leftOut(origin.chunks, chunks) });
    }
    await unchanged.keep(kept, signal);
    return sources.map((source) => written.get(source)!);
  };
}

async function writeChanged(
  parts: BuildWriter,
  sources: readonly Source[],
  signal: AbortSignal,
): Promise<[Source, Written][]> {
  const { reader, ledger, unchanged } = parts;
  // One more than the limit, to detect that there are more.
  const wanted = await splitTexts(reader, sources, ledger.isFull ? 1 : ledger.pageChunks + 1, signal);
  const granted = sources.flatMap((source, i) => {
    const pieces = wanted[i]!;
    return chunksOf(source, pieces.slice(0, ledger.grant(pieces.length)), pieces.length);
  });
  if (granted.length > 0) await unchanged.differs(signal);
  const written: Passage[] = [];
  while (written.length < granted.length && !ledger.isLate) {
    const batch = granted.slice(written.length, written.length + BATCH);
    await writeBatch(parts, batch, signal);
    written.push(...batch);
  }
  return summaryOf(sources, wanted, written, ledger);
}

async function writeBatch(
  { job, corpus, vectors, sample }: BuildWriter,
  chunks: readonly Passage[],
  signal: AbortSignal,
) {
  const texts = chunks.map(embeddedText);
  const made = vectors ? await vectors(texts, signal) : texts.map(() => null);
  const complete = chunks.map((chunk, i) => ({ ...chunk, text_hash: textHash(texts[i]!), vector: made[i]! }));
  signal.throwIfAborted();
  await corpus.chunks.insert(job, complete);
  sample.offer(complete);
}

/** The sums, and the first text that was not stored completely. */
export const total = (all: readonly Written[]): Written => ({
  chunks: all.reduce((sum, { chunks }) => sum + chunks, 0),
  characters: all.reduce((sum, { characters }) => sum + characters, 0),
  leftOut: all.find(({ leftOut }) => leftOut)?.leftOut,
});

function summaryOf(
  sources: readonly Source[],
  wanted: readonly (readonly Piece[])[],
  written: readonly Passage[],
  ledger: Ledger,
): [Source, Written][] {
  const stored = new Map(sources.map(({ id }) => [id, { chunks: 0, characters: 0 }]));
  for (const chunk of written) {
    const of = stored.get(chunk.source)!;
    of.chunks += 1;
    of.characters += charactersOf(chunk);
  }
  return sources.map((source, i) => {
    const of = stored.get(source.id)!;
    return [source, { ...of, leftOut: ledger.leftOut(wanted[i]!.length, of.chunks) }];
  });
}

const charactersOf = ({ text, title, url, headings = [] }: Passage): number =>
  text.length + title.length + url.length + headings.join('').length;

/** @param all how many pieces the source has; the first ones are given. */
function chunksOf(source: Source, pieces: readonly Piece[], all: number): Passage[] {
  const { id, title, url, language } = source;
  const chunks = pieces.map(
    ({ text, headings, section, anchor, url: own, joint }, index): Passage => ({
      source: id,
      index,
      title,
      url: own ?? (anchor === undefined || !url ? url : `${url}#${fragmentOf(anchor)}`),
      text,
      headings: [...headings],
      section,
      ...(joint && { joint }),
      ...(language && { language }),
    }),
  );
  const [first] = chunks;
  if (!first || chunks.length < all) return chunks;
  const characters = chunks.reduce((sum, chunk) => sum + charactersOf(chunk), 0);
  first.origin = { hash: originHash(source), chunks: all, characters };
  return chunks;
}

/** As a browser writes it, with whatever an id may contain. */
const fragmentOf = (anchor: string): string => encodeURIComponent(anchor.toWellFormed());

/** A passage from the middle of a page often does not name its topic; the title and the headings do. */
export const embeddedText = ({ title, headings = [], text }: Pick<Passage, 'title' | 'headings' | 'text'>): string =>
  [[title, ...headings.filter((heading) => heading !== title)].join('\n'), text].join('\n\n');
