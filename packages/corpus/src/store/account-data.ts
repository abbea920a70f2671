import {
  type AccountEraser,
  accountEraser,
  eraseFrom,
  LIST_VERSIONS,
  type ListVersionDoc,
  tokensCollection,
} from '@parley/runtime/mongo';
import type { ObjectStore } from '@parley/runtime/objects';
import type { Db } from 'mongodb';
import { accountPrefix } from '../object-keys.ts';
import { EMBEDDING_TOKENS, FAQ_LIST_VERSIONS, rawCollections } from './collections.ts';
import { UNLIMITED, usageStore } from './usage.ts';

/**
 * Erases accounts from the corpus. Items go first, so that no training is claimed or published any more; then builds, so
 * that a worker that is still writing undoes its writes (see `keepOrWithdraw`); then what they hold, and all files.
 */
export function corpusEraser(db: Db, objects: Pick<ObjectStore, 'deletePrefix'>): AccountEraser {
  const { items, builds, subPages, faqItems } = rawCollections(db);
  return accountEraser(db, [
    eraseFrom(items),
    eraseFrom(builds),
    eraseFrom(subPages),
    eraseFrom(faqItems),
    eraseFrom(db.collection<ListVersionDoc>(LIST_VERSIONS)),
    eraseFrom(db.collection<ListVersionDoc>(FAQ_LIST_VERSIONS)),
    usageStore(db, UNLIMITED).erase,
    eraseFrom(tokensCollection(db, EMBEDDING_TOKENS)),
    (account, limit) => objects.deletePrefix(accountPrefix(account), limit),
  ]);
}
