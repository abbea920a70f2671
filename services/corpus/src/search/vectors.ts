import { createGrowable } from './growable.ts';

/** Vectors of one dimension, row by row. A document without a vector has a row of zeros, similar to nothing. */
export interface VectorIndex {
  readonly dimension: number;
  readonly rows: Float32Array;
}

export interface VectorIndexer {
  /** The vector of the next document. Throws when its dimension differs from the first one's. */
  add(vector: Float32Array | undefined): void;
  /** Of memory that it takes. */
  readonly bytes: number;
  /** Undefined where no document had a vector. */
  finish(): VectorIndex | undefined;
}

/** @param expected number of documents, if known. */
export function createVectorIndexer(expected = 0): VectorIndexer {
  let rows = createGrowable(Float32Array, 0);
  let documents = 0;
  let dimension = 0;

  function add(vector: Float32Array | undefined) {
    if (vector && dimension === 0) {
      dimension = vector.length;
      rows = createGrowable(Float32Array, Math.max(expected, documents + 1) * dimension);
      rows.append(new Float32Array(documents * dimension));
    }
    if (vector && vector.length !== dimension)
      throw new Error(`A build holds vectors of ${dimension} and of ${vector.length} numbers. Train it again.`);
    documents += 1;
    rows.append(vector && allFinite(vector) ? vector : new Float32Array(dimension));
  }

  return {
    add,
    get bytes() {
      return rows.bytes;
    },
    finish: () =>
      dimension > 0
        ? { dimension, rows: rows.length * 4 === rows.bytes ? rows.view() : rows.view().slice() }
        : undefined,
  };
}

export function allFinite(vector: Float32Array): boolean {
  return vector.every(Number.isFinite);
}

/**
 * The cosine of every document with a unit vector of the same dimension. An exact scan: in plain JavaScript float32 is
 * faster than int8 (no SIMD either way, and no conversion), and exact scores need no second pass.
 */
export function similarities({ dimension, rows }: VectorIndex, query: Float32Array): Float32Array {
  const scores = new Float32Array(rows.length / dimension);
  const whole = dimension - (dimension % 8);
  for (let row = 0, at = 0; row < scores.length; row++, at += dimension) {
    // Four sums, so that additions do not depend on each other.
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    let i = 0;
    for (; i < whole; i += 8) {
      a += rows[at + i]! * query[i]! + rows[at + i + 4]! * query[i + 4]!;
      b += rows[at + i + 1]! * query[i + 1]! + rows[at + i + 5]! * query[i + 5]!;
      c += rows[at + i + 2]! * query[i + 2]! + rows[at + i + 6]! * query[i + 6]!;
      d += rows[at + i + 3]! * query[i + 3]! + rows[at + i + 7]! * query[i + 7]!;
    }
    for (; i < dimension; i++) a += rows[at + i]! * query[i]!;
    scores[row] = Math.max(-1, Math.min(1, a + b + c + d));
  }
  return scores;
}
