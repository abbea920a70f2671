import type { Log } from '../log.ts';
import type { ObjectsConfig } from '../service-config.ts';
import { createDirectoryStore } from './directory.ts';
import type { ObjectStore } from './objects.ts';
import { createS3Store } from './s3-store.ts';

/** Creates the object store of the configuration. The process starts and stops it. */
export const openObjects = (config: ObjectsConfig, log: Log): ObjectStore =>
  's3' in config ? createS3Store({ ...config.s3, log }) : createDirectoryStore(config);
