import { compute } from '@parley/runtime/mongo';
import type { ObjectStore } from '@parley/runtime/objects';
import type { KnowledgeItemDoc } from '../model.ts';
import { itemPrefix } from '../object-keys.ts';
import { emptyBuild } from './builds.ts';
import type { Corpus } from './corpus.ts';
import { deleteFolder } from './delete-folder.ts';

/**
 * Removes everything that belongs to a deleted item. Builds are retired before they are emptied, so that a worker that is
 * still writing undoes its writes.
 */
export async function purgeItem(
  { collections, faqItems }: Pick<Corpus, 'collections' | 'faqItems'>,
  objects: Pick<ObjectStore, 'deletePrefix'>,
  deleted: Pick<KnowledgeItemDoc, '_id' | 'account'>,
  signal?: AbortSignal,
): Promise<void> {
  const { builds } = collections;
  const { _id: item, account } = deleted;
  await builds.updateMany({ account, item }, [compute({ retired_at: '$$NOW' })]);
  for (const { _id } of await builds.find({ account, item }).toArray()) {
    signal?.throwIfAborted();
    await emptyBuild(collections, account, _id);
    await builds.deleteOne({ _id, account });
  }
  await faqItems.removeAll(account, item);
  await deleteFolder(objects, itemPrefix(account, item), signal);
}
