export interface Point {
  x: number;
  y: number;
}

export interface Slope {
  /** Change of y for 1 of x. */
  perX: number;
  /** Its standard error, wider where neighbouring points deviate together: by a step or a wave, which is no slope. */
  error: number;
  /** The mean of y. */
  mean: number;
}

/** Fewer degrees of freedom say nothing. */
const LEAST_FREEDOM = 6;
/** Or a single wave would hide everything. */
const MAX_CORRELATED = 0.9;

/**
 * The least-squares slope that several series have in common, each with a level of its own. Undefined if there are too few
 * points, or all of a series have the same x.
 */
export function commonSlope(series: readonly (readonly Point[])[]): Slope | undefined {
  const used = series.filter((points) => points.length > 1);
  const all = used.flat();
  const freedom = all.length - used.length - 1;
  if (freedom < LEAST_FREEDOM) return undefined;
  const centred = used.map((points) => {
    const [x, y] = [meanOf(points.map((point) => point.x)), meanOf(points.map((point) => point.y))];
    return points.map((point) => ({ x: point.x - x, y: point.y - y }));
  });
  const xx = sumOf(centred.flat().map(({ x }) => x * x));
  if (xx === 0) return undefined;
  const perX = sumOf(centred.flat().map(({ x, y }) => x * y)) / xx;
  const residuals = centred.map((points) => points.map(({ x, y }) => y - perX * x));
  const variance = squaresOf(residuals.flat()) / freedom;
  return { perX, error: Math.sqrt((variance / xx) * inflation(residuals)), mean: meanOf(all.map(({ y }) => y)) };
}

/**
 * By how much a variance is larger because residuals next to each other are alike (a first-order autoregressive process); 1 if
 * they are not.
 */
function inflation(residuals: readonly (readonly number[])[]): number {
  const squares = squaresOf(residuals.flat());
  if (squares === 0) return 1;
  const products = residuals.flatMap((each) => each.slice(1).map((residual, i) => residual * each[i]!));
  const correlation = Math.min(MAX_CORRELATED, Math.max(0, sumOf(products) / squares));
  return (1 + correlation) / (1 - correlation);
}

const squaresOf = (values: readonly number[]): number => sumOf(values.map((value) => value * value));

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const meanOf = (values: readonly number[]): number => sumOf(values) / values.length;
