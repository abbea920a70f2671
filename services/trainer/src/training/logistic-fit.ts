const STEPS = 50;
const HALVINGS = 20;
const CLOSE = 1e-9;

export interface Example {
  readonly features: readonly number[];
  readonly isTrue: boolean;
}

/** For each coefficient: its value before any example, how much evidence that is worth (above 0), and its lowest value. */
export interface Belief {
  readonly mean: readonly number[];
  readonly precision: readonly number[];
  readonly lowest?: readonly number[];
}

/**
 * The coefficients of a logistic model with the highest posterior. By Newton's method, with steps that are halved until they
 * lead up: the belief keeps it from diverging where examples can be told apart completely.
 */
export function fitLogistic(examples: readonly Example[], belief: Belief): number[] {
  const lowest = belief.lowest ?? belief.mean.map(() => Number.NEGATIVE_INFINITY);
  const within = (values: readonly number[]) => values.map((value, i) => Math.max(value, lowest[i]!));
  let at = within(belief.mean);
  let best = logPosterior(examples, belief, at);
  for (let step = 0; step < STEPS; step++) {
    const { gradient, curvature } = slopes(examples, belief, at);
    // What is at its lowest and would go lower stays out of the step.
    const free = at.map((value, i) => value > lowest[i]! || gradient[i]! > 0);
    const move = solve(curvature, gradient, free);
    const before = best;
    for (let halving = 0, share = 1; halving < HALVINGS && best === before; halving++, share /= 2) {
      const next = within(at.map((value, i) => value + share * move[i]!));
      const reached = logPosterior(examples, belief, next);
      if (reached > best) [at, best] = [next, reached];
    }
    if (best - before < CLOSE) break;
  }
  return at;
}

function logPosterior(examples: readonly Example[], { mean, precision }: Belief, at: readonly number[]): number {
  let sum = at.reduce((total, value, i) => total - (precision[i]! * (value - mean[i]!) ** 2) / 2, 0);
  for (const { features, isTrue } of examples) {
    const x = isTrue ? dot(features, at) : -dot(features, at);
    sum -= Math.log1p(Math.exp(-Math.abs(x))) + Math.max(0, -x);
  }
  return sum;
}

function slopes(examples: readonly Example[], { mean, precision }: Belief, at: readonly number[]) {
  const gradient = at.map((value, i) => precision[i]! * (mean[i]! - value));
  const curvature = at.map((_, i) => at.map((_, j) => (i === j ? precision[i]! : 0)));
  for (const { features, isTrue } of examples) {
    const p = 1 / (1 + Math.exp(-dot(features, at)));
    for (let i = 0; i < at.length; i++) {
      gradient[i]! += ((isTrue ? 1 : 0) - p) * features[i]!;
      for (let j = 0; j < at.length; j++) curvature[i]![j]! += p * (1 - p) * features[i]! * features[j]!;
    }
  }
  return { gradient, curvature };
}

const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, x, i) => sum + x * b[i]!, 0);

/** The solution of a positive definite system by elimination; 0 for the unknowns that are not free. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[], free: readonly boolean[]): number[] {
  const rows = matrix.map((row, i) =>
    free[i] ? [...row.map((x, j) => (free[j] ? x : 0)), right[i]!] : [...row.map((_, j) => (i === j ? 1 : 0)), 0],
  );
  const size = rows.length;
  for (let i = 0; i < size; i++)
    for (let k = i + 1; k < size; k++) {
      const factor = rows[k]![i]! / rows[i]![i]!;
      for (let j = i; j <= size; j++) rows[k]![j]! -= factor * rows[i]![j]!;
    }
  const solution = new Array<number>(size).fill(0);
  for (let i = size - 1; i >= 0; i--) {
    const known = rows[i]!.slice(i + 1, size).reduce((sum, x, j) => sum + x * solution[i + 1 + j]!, 0);
    solution[i] = (rows[i]![size]! - known) / rows[i]![i]!;
  }
  return solution;
}
