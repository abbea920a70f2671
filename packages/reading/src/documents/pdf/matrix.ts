/** An affine map [a, b, c, d, e, f]: x' = ax + cy + e, y' = bx + dy + f. */
export type Matrix = readonly number[];

/** The map of the second, then of the first. */
export function multiply([a, b, c, d, e, f]: Matrix, m: Matrix): number[] {
  const [g, h, i, j, k, l] = m as [number, number, number, number, number, number];
  return [
    a! * g + c! * h,
    b! * g + d! * h,
    a! * i + c! * j,
    b! * i + d! * j,
    a! * k + c! * l + e!,
    b! * k + d! * l + f!,
  ];
}

/** Undefined if there is none. */
export function inverse(matrix: Matrix): number[] | undefined {
  const [a, b, c, d, e, f] = matrix as [number, number, number, number, number, number];
  const area = a * d - b * c;
  const found = [d, -b, -c, a, c * f - d * e, b * e - a * f].map((value) => value / area);
  return found.every(Number.isFinite) ? found : undefined;
}
