import { isAppError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { ObjectsConfig } from '../service-config.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { createDirectoryStore } from './directory.ts';
import type { ObjectStore } from './objects.ts';
import { createS3Store } from './s3-store.ts';

/** Name of a dependency in metrics: a store that is full, or only reads, still answers reads. */
const WRITES = 'object store writes';

/** Creates the object store of the configuration. The process starts and stops it. */
export function openObjects(config: ObjectsConfig, log: Log, metrics?: Pick<Metrics, 'answered'>): ObjectStore {
  const store = 's3' in config ? createS3Store({ ...config.s3, log }) : createDirectoryStore(config);
  return {
    ...store,
    async put(...args) {
      try {
        const stored = await store.put(...args);
        metrics?.answered(WRITES, true);
        return stored;
      } catch (error) {
        if (isAppError(error, 'unavailable')) metrics?.answered(WRITES, false);
        throw error;
      }
    },
  };
}
