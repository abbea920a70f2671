export interface Point {
  x: number;
  y: number;
}

export interface Slope {
  /** Change of y for 1 of x. */
  perX: number;
  /** Its standard error. */
  error: number;
  /** The mean of y. */
  mean: number;
}

/** Fewer degrees of freedom say nothing. */
const LEAST_FREEDOM = 6;

/**
 * The least-squares slope that several series have in common, each with a level of its own. Undefined if there are too few
 * points, or all of a series have the same x.
 */
export function commonSlope(series: readonly (readonly Point[])[]): Slope | undefined {
  const used = series.filter((points) => points.length > 1);
  const all = used.flat();
  const freedom = all.length - used.length - 1;
  if (freedom < LEAST_FREEDOM) return undefined;
  const centred = used.flatMap((points) => {
    const [x, y] = [meanOf(points.map((point) => point.x)), meanOf(points.map((point) => point.y))];
    return points.map((point) => ({ x: point.x - x, y: point.y - y }));
  });
  const xx = sumOf(centred.map(({ x }) => x * x));
  if (xx === 0) return undefined;
  const perX = sumOf(centred.map(({ x, y }) => x * y)) / xx;
  const residual = sumOf(centred.map(({ x, y }) => (y - perX * x) ** 2));
  return { perX, error: Math.sqrt(residual / freedom / xx), mean: meanOf(all.map(({ y }) => y)) };
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const meanOf = (values: readonly number[]): number => sumOf(values) / values.length;
