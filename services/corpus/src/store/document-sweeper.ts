import { createLoop, type Log, type Loop } from '@parley/runtime';
import type { ObjectStore } from '@parley/runtime/objects';
import type { Collections } from './collections.ts';
import { UNFINALIZED_MS } from './document-due.ts';
import { documentStore } from './documents.ts';

const REST_MS = 10_000;

interface DueDocument {
  _id: string;
  account: string;
  /** Of objects to delete. */
  strays: string[];
  expired: boolean;
}

interface SweeperParts {
  collections: Collections;
  objects: Pick<ObjectStore, 'delete'>;
}

/**
 * Deletes the objects of all accounts' failed, abandoned and replaced uploads, and documents that were not finalized in
 * time. Every replica may run it; every step is idempotent.
 */
export const createDocumentSweeper = ({ log, ...parts }: SweeperParts & { log: Log }): Loop =>
  createLoop({
    name: 'sweeper of documents',
    restMs: REST_MS,
    log,
    round: (signal) => sweepDocument(parts, signal),
  });

/** Does what is due for one document. False if nothing is due. */
export async function sweepDocument({ collections, objects }: SweeperParts, signal: AbortSignal): Promise<boolean> {
  const found = await nextDue(collections);
  if (!found) return false;
  const { _id, account, strays, expired } = found;
  const documents = documentStore(collections);
  // The purge removes its objects.
  if (expired) await documents.expire(account, _id);
  for (const key of strays) {
    signal.throwIfAborted();
    await objects.delete(key);
  }
  await documents.forget(account, _id, strays);
  return true;
}

/** The document that has been due longest, by the database's clock. */
async function nextDue({ items }: Collections): Promise<DueDocument | undefined> {
  const isDue = { $lte: ['$$this.due', '$$NOW'] };
  const late = { $lte: [{ $add: ['$created_at', UNFINALIZED_MS] }, '$$NOW'] };
  const [found] = await items
    .aggregate<DueDocument>([
      { $match: { document_due: { $type: 'date' }, deleted_at: null } },
      { $sort: { document_due: 1 } },
      { $limit: 1 },
      { $match: { $expr: { $lte: ['$document_due', '$$NOW'] } } },
      {
        $project: {
          account: 1,
          strays: { $map: { input: { $filter: { input: '$document.strays', cond: isDue } }, in: '$$this.key' } },
          expired: { $and: [{ $eq: ['$document.finalized_at', null] }, late] },
        },
      },
    ])
    .toArray();
  return found;
}
