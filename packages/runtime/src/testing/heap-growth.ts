import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Noise of a process: growth below this needs no second look. */
const QUIET_BYTES = 2 ** 19;
const MAX_ROUNDS = 3;

/** How many bytes of the heap are in use, after everything that can be freed has been. */
export async function heapUsed(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Twice, with turns of the event loop in between: the second frees what finalizers or promises still held.
  for (let i = 0; i < 2; i++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  collect();
  return process.memoryUsage().heapUsed;
}

/**
 * For tests of leaks: how many bytes the heap grows in `times` runs of `work`, following a warm-up. The least of several
 * rounds: a leak grows in each of them, while what the engine compiles and caches comes once.
 */
export async function heapGrowth(times: number, work: (times: number) => Promise<unknown>): Promise<number> {
  await work(Math.ceil(times / 10));
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < MAX_ROUNDS && least > QUIET_BYTES; round++) {
    const before = await heapUsed();
    await work(times);
    least = Math.min(least, (await heapUsed()) - before);
  }
  return least;
}
