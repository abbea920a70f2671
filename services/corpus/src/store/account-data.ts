import { type AccountEraser, accountEraser, eraseFrom, STAMPS, type StampDoc } from '@parley/runtime/mongo';
import type { ObjectStore } from '@parley/runtime/objects';
import type { Db } from 'mongodb';
import { accountPrefix } from '../object-keys.ts';
import { collections } from './collections.ts';

/**
 * Erases accounts from the corpus. Items go first, so that no training is claimed or published any more; then builds, so
 * that a worker that is still writing undoes its writes (see `keepOrWithdraw`); then what they hold, and all files.
 */
export function corpusEraser(db: Db, objects: Pick<ObjectStore, 'deletePrefix'>): AccountEraser {
  const { items, builds, chunks, subPages, faqItems } = collections(db);
  return accountEraser(db, [
    eraseFrom(items),
    eraseFrom(builds),
    eraseFrom(chunks),
    eraseFrom(subPages),
    eraseFrom(faqItems),
    eraseFrom(db.collection<StampDoc>(STAMPS)),
    (account, limit) => objects.deletePrefix(accountPrefix(account), limit),
  ]);
}
