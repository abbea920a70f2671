import type { Minute } from './minute.ts';
import type { ProcessSample } from './sampling/processes.ts';

/** For tests: an uneventful minute, except for what is given. */
export const aMinute = (minute: number, given: Partial<Minute> = {}): Minute => ({
  minute,
  ...{ requests: 600, retried: 0, errors: 0, restarts: [], kinds: {}, processes: [] },
  machine: { stolen: 0, workMs: 5 },
  ...{ collections: {}, files: { count: 0, bytes: 0 } },
  ...given,
});

export const aSample = (given: Partial<ProcessSample> = {}): ProcessSample => ({
  ...{ name: 'auth', pid: 1, age: 1, residentMib: 100, heapMib: 30, openFiles: 40, threads: 11, cores: 0.1 },
  ...given,
});
