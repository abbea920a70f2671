import { setImmediate } from 'node:timers/promises';
import { createLexicalIndexer, type LexicalIndex } from './bm25.ts';
import { createVectorIndexer, type VectorIndex } from './vectors.ts';

export interface IndexedChunk {
  readonly id: string;
  readonly text: string;
  readonly title: string;
  /** Empty where a reader finds it nowhere. */
  readonly url: string;
  /** A unit vector of the build's model. */
  readonly vector?: Float32Array;
}

/** One build in memory, ready to be searched beside others. Chunks are numbered alike in all three parts. */
export interface BuildIndex {
  /** The embedding model of its vectors. */
  readonly model: string | undefined;
  readonly chunks: readonly Omit<IndexedChunk, 'vector'>[];
  readonly lexical: LexicalIndex;
  readonly vectors: VectorIndex | undefined;
  /** An upper estimate of its memory. */
  readonly bytes: number;
}

const CHUNKS_A_TURN = 128; // about 10 ms of work
const OBJECT_BYTES = 200; // a chunk's object and the headers of its strings

/**
 * Reads the chunks once, as they come. It lets the event loop turn now and then: a large build is seconds of work, and
 * health checks must be answered meanwhile. Without a model the vectors are left out.
 */
export async function createBuildIndex(
  source: Iterable<IndexedChunk> | AsyncIterable<IndexedChunk>,
  model?: string,
): Promise<BuildIndex> {
  const lexicalIndexer = createLexicalIndexer();
  const vectorIndexer = createVectorIndexer();
  const chunks: Omit<IndexedChunk, 'vector'>[] = [];
  let characters = 0;
  for await (const { id, text, title, url, vector } of source) {
    lexicalIndexer.add(`${title}\n${text}`);
    if (model !== undefined) vectorIndexer.add(vector);
    chunks.push({ id, text, title, url });
    characters += id.length + text.length + title.length + url.length;
    if (chunks.length % CHUNKS_A_TURN === 0) await setImmediate();
  }
  const lexical = lexicalIndexer.finish();
  const vectors = vectorIndexer.finish();
  const bytes = 2 * characters + OBJECT_BYTES * chunks.length + lexical.bytes + (vectors?.rows.byteLength ?? 0);
  return { model, chunks, lexical, vectors, bytes };
}
