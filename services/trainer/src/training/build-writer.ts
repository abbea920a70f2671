import { type NewChunk, textHash } from '@parley/corpus';
import type { Piece } from '@parley/reading/split';
import type { Reader } from '../sandbox/readers.ts';
import type { ChunkQuota } from '../sources/limits.ts';
import type { Source, Written } from '../sources/source.ts';
import type { RunFile } from './build-file.ts';
import type { ChunkSample } from './chunk-sample.ts';
import { splitTexts } from './split-texts.ts';
import { type LiveSource, originHash, type Unchanged } from './unchanged.ts';
import type { Vectors } from './vectors.ts';

/** Chunks embedded and stored per batch. */
const BATCH = 32;

/** Returns what was stored of each, in their order. */
export type WriteSources = (sources: readonly Source[], signal: AbortSignal) => Promise<Written[]>;

export type Passage = Omit<NewChunk, 'vector' | 'text_hash'>;

export interface BuildWriter {
  file: Pick<RunFile, 'add'>;
  /** Makes vectors of the build's model; null without one. */
  vectors: Vectors | null;
  model: string | null;
  reader: Reader;
  quota: ChunkQuota;
  sample: ChunkSample;
  unchanged: Unchanged;
}

/**
 * Writes texts to the job's build, within the quota's limits: those that the live build has are taken from it, the others
 * are split, embedded and stored.
 */
export function createBuildWriter(dependencies: BuildWriter): WriteSources {
  const { quota, model, unchanged } = dependencies;
  return async (sources, signal) => {
    const origins = await unchanged.find(sources, model);
    const changed = sources.filter(({ id }) => !origins.has(id));
    const written = new Map(changed.length > 0 ? await writeChanged(dependencies, changed, signal) : []);
    const kept: LiveSource[] = [];
    for (const source of sources) {
      const origin = origins.get(source.id);
      if (!origin) continue;
      const chunks = quota.isLate ? 0 : quota.grant(origin.chunks);
      if (chunks > 0) kept.push({ source: source.id, origin, kept: chunks });
      written.set(source, { chunks, leftOut: quota.leftOut(origin.chunks, chunks) });
    }
    await unchanged.keep(kept, signal);
    return sources.map((source) => written.get(source)!);
  };
}

async function writeChanged(
  dependencies: BuildWriter,
  sources: readonly Source[],
  signal: AbortSignal,
): Promise<[Source, Written][]> {
  const { reader, quota, unchanged } = dependencies;
  // One more than the limit, to detect that there are more.
  const wanted = await splitTexts(reader, sources, quota.isFull ? 1 : quota.pageChunks + 1, signal);
  const granted = sources.flatMap((source, i) => {
    const pieces = wanted[i]!;
    return chunksOf(source, pieces.slice(0, quota.grant(pieces.length)), pieces.length);
  });
  if (granted.length > 0) await unchanged.differs(signal);
  const written: Passage[] = [];
  while (written.length < granted.length && !quota.isLate) {
    const batch = granted.slice(written.length, written.length + BATCH);
    await writeBatch(dependencies, batch, signal);
    written.push(...batch);
  }
  return summaryOf(sources, wanted, written, quota);
}

async function writeBatch({ file, vectors, sample }: BuildWriter, chunks: readonly Passage[], signal: AbortSignal) {
  const texts = chunks.map(embeddedText);
  const made = vectors ? await vectors(texts, signal) : texts.map(() => null);
  const complete = chunks.map((chunk, i) => ({ ...chunk, text_hash: textHash(texts[i]!), vector: made[i]! }));
  signal.throwIfAborted();
  await file.add(complete);
  sample.offer(complete);
}

function summaryOf(
  sources: readonly Source[],
  wanted: readonly (readonly Piece[])[],
  written: readonly Passage[],
  quota: ChunkQuota,
): [Source, Written][] {
  return sources.map((source, i) => {
    const chunks = written.filter((chunk) => chunk.source === source.id).length;
    return [source, { chunks, leftOut: quota.leftOut(wanted[i]!.length, chunks) }];
  });
}

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
  first.origin = { hash: originHash(source), chunks: all };
  return chunks;
}

/** As a browser writes it, with whatever an id may contain. */
const fragmentOf = (anchor: string): string => encodeURIComponent(anchor.toWellFormed());

/** A passage from the middle of a page often does not name its topic; the title and the headings do. */
export const embeddedText = ({ title, headings = [], text }: Pick<Passage, 'title' | 'headings' | 'text'>): string =>
  [[title, ...headings.filter((heading) => heading !== title)].join('\n'), text].join('\n\n');
