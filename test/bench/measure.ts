/** The quantile of the values; NaN if there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/**
 * The median of each measure over interleaved rounds, so that noise affects all of them alike.
 */
export async function inTurns(rounds: number, measures: readonly (() => Promise<number>)[]): Promise<number[]> {
  const found: number[][] = measures.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [i, measure] of measures.entries()) found[i]!.push(await measure());
  }
  return found.map(median);
}

/** Calls per second of that many callers, each with one call in flight, during `ms`. */
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

/** Makes that many calls in total, from that many callers. */
export async function repeat(call: () => Promise<unknown>, callers: number, calls: number): Promise<void> {
  let begun = 0;
  const caller = async () => {
    while (begun++ < calls) await call();
  };
  await Promise.all(Array.from({ length: callers }, caller));
}
