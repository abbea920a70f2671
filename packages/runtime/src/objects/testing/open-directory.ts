import { createDirectoryStore } from '../directory.ts';
import type { ObjectStore } from '../objects.ts';

/** Opens the directory store for the contract's tests, in their own process and in child processes. */
export async function openStore(dir: string): Promise<ObjectStore> {
  const store = createDirectoryStore({ dir });
  await store.start?.(AbortSignal.timeout(5_000));
  return store;
}
