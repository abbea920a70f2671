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

/** A share, and the interval that holds it in 95 of 100 resamplings of the questions. */
export interface Share {
  share: number;
  low: number;
  high: number;
}

/** The share of `true`, with its bootstrap interval; NaN of nothing. */
export function shareOf(values: readonly boolean[]): Share {
  const random = seeded(SEED);
  const counts = Array.from({ length: ROUNDS }, () => {
    let hits = 0;
    for (let i = 0; i < values.length; i++) if (values[Math.floor(random() * values.length)]) hits++;
    return hits / values.length;
  }).sort((a, b) => a - b);
  return {
    share: values.filter(Boolean).length / values.length,
    low: counts[Math.floor(ROUNDS * 0.025)]!,
    high: counts[Math.ceil(ROUNDS * 0.975) - 1]!,
  };
}

/** A random subset of that size, the same for the same values; in their order. */
export function subsetOf<T>(values: readonly T[], size: number): T[] {
  const random = seeded(SEED);
  const shuffled = values.map((value, i) => ({ value, i, key: random() })).sort((a, b) => a.key - b.key);
  return shuffled
    .slice(0, size)
    .sort((a, b) => a.i - b.i)
    .map(({ value }) => value);
}
