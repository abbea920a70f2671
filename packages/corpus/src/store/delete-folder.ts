import type { ObjectStore } from '@parley/runtime/objects';

const STEP = 1_000;

/** Deletes all objects of a folder, in batches. */
export async function deleteFolder(
  objects: Pick<ObjectStore, 'deletePrefix'>,
  folder: string,
  signal?: AbortSignal,
): Promise<void> {
  while ((await objects.deletePrefix(folder, STEP)) === STEP) signal?.throwIfAborted();
}
