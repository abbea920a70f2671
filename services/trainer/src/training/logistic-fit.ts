const STEPS = 30;
const CLOSE = 1e-8;

/**
 * The coefficients of a logistic model with the highest posterior, each with a normal prior of its own. By Newton's method:
 * the prior keeps it from diverging where examples can be told apart completely.
 *
 * @param precision of the prior: how much evidence it is worth, above 0.
 * @param lowest that each coefficient may have.
 */
export function fitLogistic(
  examples: readonly { readonly features: readonly number[]; readonly isTrue: boolean }[],
  prior: readonly number[],
  precision: readonly number[],
  lowest: readonly number[] = prior.map(() => Number.NEGATIVE_INFINITY),
): number[] {
  let at = prior.map((value, i) => Math.max(value, lowest[i]!));
  for (let step = 0; step < STEPS; step++) {
    const gradient = at.map((value, i) => precision[i]! * (prior[i]! - value));
    const curvature = at.map((_, i) => at.map((_, j) => (i === j ? precision[i]! : 0)));
    for (const { features, isTrue } of examples) {
      const p = 1 / (1 + Math.exp(-dot(features, at)));
      for (let i = 0; i < at.length; i++) {
        gradient[i]! += ((isTrue ? 1 : 0) - p) * features[i]!;
        for (let j = 0; j < at.length; j++) curvature[i]![j]! += p * (1 - p) * features[i]! * features[j]!;
      }
    }
    // What is at its lowest and would go lower stays out of the step.
    const free = at.map((value, i) => value > lowest[i]! || gradient[i]! > 0);
    const move = solve(curvature, gradient, free);
    at = at.map((value, i) => Math.max(lowest[i]!, value + move[i]!));
    if (move.every((value) => Math.abs(value) < CLOSE)) break;
  }
  return at;
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
