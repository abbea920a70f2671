import { toUnit } from './embedder.ts';

/** Mean pooling, as a unit vector: the sum of the rows has the mean's direction. */
export function poolRows(rows: Float32Array, width: number): Float32Array {
  const sum = new Float64Array(width);
  for (let i = 0; i < rows.length; i++) sum[i % width]! += rows[i]!;
  return toUnit(sum);
}
