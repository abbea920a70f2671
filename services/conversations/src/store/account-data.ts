import {
  type AccountEraser,
  accountEraser,
  deletedParentCollection,
  eraseFrom,
  LIST_VERSIONS,
  type ListVersionDoc,
} from '@parley/runtime/mongo';
import type { ObjectStore } from '@parley/runtime/objects';
import type { Db } from 'mongodb';
import { blockCollection } from './blocks.ts';
import { accountFolder } from './mail-files.ts';
import { mailCollection } from './mails.ts';
import type { EntryDoc, EvidenceDoc } from './model.ts';
import { noticeCollection } from './notices.ts';
import { threadCollection } from './threads.ts';
import { UNLIMITED, usageStore } from './usage.ts';

/** Erases accounts from the conversations. Threads go first: without its thread, no answer is stored. */
export const conversationsEraser = (db: Db, objects: Pick<ObjectStore, 'deletePrefix'>): AccountEraser =>
  accountEraser(db, [
    eraseFrom(threadCollection(db)),
    eraseFrom(db.collection<EntryDoc>('entries')),
    eraseFrom(db.collection<EvidenceDoc>('evidence')),
    eraseFrom(blockCollection(db)),
    eraseFrom(mailCollection(db)),
    eraseFrom(noticeCollection(db)),
    eraseFrom(db.collection<ListVersionDoc>(LIST_VERSIONS)),
    eraseFrom(deletedParentCollection(db)),
    (account, limit) => objects.deletePrefix(accountFolder(account), limit),
    usageStore(db, threadCollection(db), UNLIMITED).erase,
  ]);
