const LARGEST = 127;

/** A vector as int8: as large as can be, since only its direction counts. One that is missing or not finite is all zeros. */
export function toRow(vector: Float32Array | null, dimension: number): Int8Array<ArrayBuffer> {
  const row = new Int8Array(dimension);
  if (!vector?.every(Number.isFinite)) return row;
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  return row.map((_, i) => Math.round((vector[i]! / largest) * LARGEST));
}

/** The unit vector of a row; undefined for one of zeros. */
export function toVector(row: Int8Array): Float32Array | undefined {
  const norm = Math.sqrt(row.reduce((sum, value) => sum + value * value, 0));
  return norm === 0 ? undefined : Float32Array.from(row, (value) => value / norm);
}

/** The cosine of a unit vector and a row; undefined for a row of zeros. */
export function cosineOf(vector: Float32Array, row: Int8Array): number | undefined {
  let dot = 0;
  let norm = 0;
  for (let i = 0; i < vector.length; i++) {
    const value = row[i]!;
    dot += vector[i]! * value;
    norm += value * value;
  }
  return norm === 0 ? undefined : Math.max(-1, Math.min(1, dot / Math.sqrt(norm)));
}
