import { setImmediate } from 'node:timers/promises';
import type { StoredChunk } from '../store/chunks.ts';
import { createLexicalIndexer, type LexicalIndex } from './bm25.ts';
import { createPlaces } from './places.ts';
import { createVectorIndexer, type VectorIndex } from './vectors.ts';

/** The vector is a unit vector of the build's model. */
export type IndexedChunk = Readonly<StoredChunk>;

/** One build in memory, ready to be searched with others. All three parts number the chunks alike. */
export interface BuildIndex {
  /** The embedding model of its vectors. */
  readonly model: string | undefined;
  readonly chunks: readonly Omit<IndexedChunk, 'vector'>[];
  readonly lexical: LexicalIndex;
  readonly vectors: VectorIndex | undefined;
  /** The chunks of a page or FAQ item, in no particular order. */
  chunksOf(source: string): readonly number[];
  /** An upper estimate of its memory. */
  readonly bytes: number;
}

const CHUNKS_A_TURN = 128; // about 10 ms of work
const OBJECT_BYTES = 300; // a chunk's object, the headers of its strings, and its place among those of its source
const ID_CHARACTERS = 36;

/** The size of a build, known before it is read. */
export interface BuildSize {
  chunks: number;
  /** Numbers of each vector; 0 where there are none. */
  dimension: number;
  /** Of texts, titles and addresses; undefined if they were not counted. */
  characters?: number | undefined;
}

/** Assumed for a chunk with its title and address if they were not counted. */
const USUAL_CHARACTERS = 900;
/** Two for the text; the rest is the index of its words, half of which is needed only while it is made. */
const BYTES_PER_CHARACTER = 5;

/** An upper estimate of the memory that it takes to load a build. */
export function bytesToLoad({ chunks, dimension, characters = USUAL_CHARACTERS * chunks }: BuildSize): number {
  const ids = ID_CHARACTERS * chunks;
  return BYTES_PER_CHARACTER * (characters + ids) + (OBJECT_BYTES + 4 * dimension) * chunks;
}

/**
 * Reads the chunks once, as they come. It lets the event loop turn now and then: a large build is seconds of work, and
 * health checks must be answered meanwhile. Without a model the vectors are left out.
 *
 * @param expected chunks that will come, where that is known.
 * @param grown is told now and then how many bytes this takes so far; it may throw to end it.
 */
export async function createBuildIndex(
  source: Iterable<IndexedChunk> | AsyncIterable<IndexedChunk>,
  model?: string,
  { expected, grown }: { expected?: number; grown?: (bytes: number) => void } = {},
): Promise<BuildIndex> {
  const lexicalIndexer = createLexicalIndexer();
  const vectorIndexer = createVectorIndexer(expected);
  const places = createPlaces();
  const chunks: Omit<IndexedChunk, 'vector'>[] = [];
  let characters = 0;
  for await (const { vector, ...chunk } of source) {
    const { id, text, title, url, headings = [], language } = chunk;
    lexicalIndexer.add([title, ...headings, text].join('\n'), language);
    if (model !== undefined) vectorIndexer.add(vector);
    characters += id.length + text.length + title.length + url.length;
    chunks.push(places.add(chunk));
    if (chunks.length % CHUNKS_A_TURN === 0) {
      grown?.(bytesOf(chunks.length, characters + places.characters) + lexicalIndexer.bytes + vectorIndexer.bytes);
      await setImmediate();
    }
  }
  const lexical = lexicalIndexer.finish();
  const vectors = vectorIndexer.finish();
  const texts = bytesOf(chunks.length, characters + places.characters);
  const bytes = texts + lexical.bytes + (vectors?.rows.byteLength ?? 0);
  return { model, chunks, lexical, vectors, chunksOf: places.chunksOf, bytes };
}

const bytesOf = (chunks: number, characters: number): number => 2 * characters + OBJECT_BYTES * chunks;
