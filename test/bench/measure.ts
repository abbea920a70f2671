/** The value below which a share of all values lies; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/**
 * What each of several measures gives, in the median of rounds that take turns, so that a noisy moment meets all alike.
 */
export async function inTurns(rounds: number, measures: readonly (() => Promise<number>)[]): Promise<number[]> {
  const found: number[][] = measures.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [i, measure] of measures.entries()) found[i]!.push(await measure());
  }
  return found.map(median);
}

/** Calls a second of so many callers, each with one call under way, during `ms`. */
export async function rate(call: () => Promise<unknown>, callers: number, ms: number): Promise<number> {
  const began = performance.now();
  let calls = 0;
  const caller = async () => {
    while (performance.now() - began < ms) {
      await call();
      calls++;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return (calls / (performance.now() - began)) * 1000;
}

/** So many calls in all, by so many callers. */
export async function repeat(call: () => Promise<unknown>, callers: number, calls: number): Promise<void> {
  let begun = 0;
  const caller = async () => {
    while (begun++ < calls) await call();
  };
  await Promise.all(Array.from({ length: callers }, caller));
}
