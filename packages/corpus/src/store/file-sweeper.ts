import { createLoop, type Log, type Loop } from '@parley/runtime';
import type { ObjectStore } from '@parley/runtime/objects';
import type { Collections } from './collections.ts';
import { documentStore } from './documents.ts';
import { forgetStrays, UNFINALIZED_MS } from './strays.ts';

const REST_MS = 10_000;

interface DueItem {
  _id: string;
  account: string;
  /** Keys of the objects to delete. */
  strays: string[];
  expired: boolean;
}

interface SweeperDependencies {
  collections: Collections;
  objects: Pick<ObjectStore, 'delete'>;
}

/**
 * Deletes the objects of all accounts' failed, abandoned and replaced files, and documents that were not finalized in time.
 * Every replica may run it; every step is idempotent.
 */
export const createFileSweeper = ({ log, ...dependencies }: SweeperDependencies & { log: Log }): Loop =>
  createLoop({
    name: 'sweeper of files',
    restMs: REST_MS,
    log,
    round: (signal) => sweepFiles(dependencies, signal),
  });

/** Does what is due for one item. False if nothing is due. */
export async function sweepFiles({ collections, objects }: SweeperDependencies, signal: AbortSignal): Promise<boolean> {
  const found = await nextDue(collections);
  if (!found) return false;
  const { _id, account, strays, expired } = found;
  // The purge removes its objects.
  if (expired) await documentStore(collections).expire(account, _id);
  for (const key of strays) {
    signal.throwIfAborted();
    await objects.delete(key);
  }
  await forgetStrays(collections, account, _id, strays);
  return true;
}

/** The item that has been due longest, by the database's clock. */
async function nextDue({ items }: Collections): Promise<DueItem | undefined> {
  const isDue = { $lte: ['$$this.due', '$$NOW'] };
  const late = { $lte: [{ $add: ['$created_at', UNFINALIZED_MS] }, '$$NOW'] };
  const [found] = await items
    .aggregate<DueItem>([
      { $match: { files_due: { $type: 'date' }, deleted_at: null } },
      { $sort: { files_due: 1 } },
      { $limit: 1 },
      { $match: { $expr: { $lte: ['$files_due', '$$NOW'] } } },
      {
        $project: {
          account: 1,
          strays: { $map: { input: { $filter: { input: '$strays', cond: isDue } }, in: '$$this.key' } },
          expired: { $and: [{ $eq: ['$type', 'document'] }, { $eq: ['$document.finalized_at', null] }, late] },
        },
      },
    ])
    .toArray();
  return found;
}
