import { isAppError } from '../errors.ts';
import { createLatestAnswer, type ProbePauses } from '../telemetry/latest-answer.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { ObjectStore } from './objects.ts';

/** Name of a dependency in metrics: a store that is full, or only reads, still answers reads. */
const WRITES = 'object store writes';

/** Large enough for a disk that is nearly full to refuse it. */
const PROBE = Buffer.alloc(64 * 2 ** 10);

/** Adds to a store that metrics say whether it has taken the latest file. After a failure, small files find out when it does again. */
export function watchingWrites(
  store: ObjectStore,
  metrics: Pick<Metrics, 'answered'>,
  pauses?: ProbePauses,
): ObjectStore {
  let probeKey = '';
  const note = (isUp: boolean) => metrics.answered(WRITES, isUp);
  const latest = createLatestAnswer(note, (signal) => probeWrite(store, probeKey, signal), pauses);
  return {
    ...store,
    async put(key, ...rest) {
      try {
        const stored = await store.put(key, ...rest);
        latest.answered(true);
        return stored;
      } catch (error) {
        if (isAppError(error, 'unavailable')) {
          probeKey = probeKeyFor(key);
          latest.answered(false);
        }
        throw error;
      }
    },
    async stop() {
      await latest.stop();
      await store.stop?.();
    },
  };
}

/** In the same top folder, because a service may be allowed no other. */
export const probeKeyFor = (key: string): string => `${key.slice(0, key.indexOf('/') + 1)}probe.bin`;

/** Stores an object and deletes it again, where the policy of the service allows that; else the next probe replaces it. */
export async function probeWrite(store: ObjectStore, key: string, signal: AbortSignal): Promise<void> {
  await store.put(key, PROBE, { signal });
  await store.delete(key).catch(() => {});
}
