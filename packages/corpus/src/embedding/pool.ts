import { toUnit } from './embedder.ts';
import type { Pooling } from './model-directory.ts';

/** The rows of a text's tokens as one unit vector. */
export function pool(rows: Float32Array, width: number, pooling: Pooling): Float32Array {
  if (pooling === 'cls') return toUnit(rows.subarray(0, width));
  if (pooling === 'lasttoken') return toUnit(rows.subarray(rows.length - width));
  // The sum has the mean's direction.
  const sum = new Float64Array(width);
  for (let i = 0; i < rows.length; i++) sum[i % width]! += rows[i]!;
  return toUnit(sum);
}
