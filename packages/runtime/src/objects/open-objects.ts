import type { Log } from '../log.ts';
import type { ObjectsConfig } from '../service-config.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { createDirectoryStore } from './directory.ts';
import type { ObjectStore } from './objects.ts';
import { createS3Store } from './s3-store.ts';
import { watchingWrites } from './watch-writes.ts';

/** Creates the object store of the configuration. The process starts and stops it. */
export function openObjects(config: ObjectsConfig, log: Log, metrics?: Pick<Metrics, 'answered'>): ObjectStore {
  const store = 's3' in config ? createS3Store({ ...config.s3, log }) : createDirectoryStore(config);
  return metrics ? watchingWrites(store, metrics) : store;
}
