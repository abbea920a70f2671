import { createLog } from '../../log.ts';
import type { ObjectStore } from '../objects.ts';
import type { S3Config } from '../s3-client.ts';
import { createS3Store } from '../s3-store.ts';

/**
 * Opens the store on a server for the contract's tests, in their own process and in child processes.
 *
 * @param argument an S3Config as JSON
 */
export async function openStore(argument: string): Promise<ObjectStore> {
  const config: S3Config = JSON.parse(argument);
  const store = createS3Store({ ...config, log: createLog('objects-test', 'silent') });
  await store.start?.(AbortSignal.timeout(10_000));
  return store;
}
