/** Vectors that a build's calibration is computed from: 100 ms of work for 400 vectors of 1,536 numbers. */
const SIZE = 400;

/** A sample of a build's vectors, which depends only on their texts, not on their order. */
export interface VectorSample {
  /** Equal texts count once. */
  offer(textHash: string, vector: Float32Array | null): void;
  readonly vectors: Float32Array[];
}

/** Keeps the vectors with the lowest hashes: hashes are as good as random. */
export function createVectorSample(size = SIZE): VectorSample {
  const kept = new Map<string, Float32Array>();
  let highest = '';

  return {
    offer(textHash, vector) {
      if (!vector || (kept.size >= size && textHash >= highest)) return;
      kept.set(textHash, vector);
      if (kept.size > size) kept.delete(highest);
      if (kept.size >= size) highest = [...kept.keys()].reduce((a, b) => (a > b ? a : b));
    },
    get vectors() {
      return [...kept].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, vector]) => vector);
    },
  };
}
