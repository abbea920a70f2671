const ROUNDS = 2_000;
const SEED = 20_240_229;

/** Uniform in [0, 1); the same numbers for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A mean, and the interval that holds it in 95 of 100 resamplings. */
export interface Mean {
  mean: number;
  low: number;
  high: number;
}

/**
 * The mean of all values with its bootstrap interval; NaN of nothing. Whole groups are resampled: questions about one site
 * succeed and fail together, so each by itself would look like more than it tells.
 */
export function meanOf(groups: readonly (readonly number[])[]): Mean {
  const random = seeded(SEED);
  const sums = groups.filter(({ length }) => length > 0).map((group) => ({ sum: sum(group), count: group.length }));
  const means = Array.from({ length: ROUNDS }, () => ratio(sums.map(() => sums[Math.floor(random() * sums.length)]!)));
  means.sort((a, b) => a - b);
  return {
    mean: ratio(sums),
    low: means[Math.floor(ROUNDS * 0.025)]!,
    high: means[Math.ceil(ROUNDS * 0.975) - 1]!,
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const ratio = (groups: readonly { sum: number; count: number }[]): number =>
  sum(groups.map((group) => group.sum)) / sum(groups.map(({ count }) => count));

/** A random subset of that size, the same for the same values; in their order. */
export function subsetOf<T>(values: readonly T[], size: number): T[] {
  const random = seeded(SEED);
  const shuffled = values.map((value, i) => ({ value, i, key: random() })).sort((a, b) => a.key - b.key);
  return shuffled
    .slice(0, size)
    .sort((a, b) => a.i - b.i)
    .map(({ value }) => value);
}
