import {
  type AccountEraser,
  accountEraser,
  eraseFrom,
  goneCollection,
  STAMPS,
  type StampDoc,
} from '@parley/runtime/mongo';
import type { Db } from 'mongodb';
import type { BlockDoc } from './blocks.ts';
import type { EntryDoc, EvidenceDoc } from './model.ts';
import { threadCollection } from './threads.ts';

/** Erases accounts from the conversations. Threads go first: without its thread, no answer is stored. */
export const conversationsEraser = (db: Db): AccountEraser =>
  accountEraser(db, [
    eraseFrom(threadCollection(db)),
    eraseFrom(db.collection<EntryDoc>('entries')),
    eraseFrom(db.collection<EvidenceDoc>('evidence')),
    eraseFrom(db.collection<BlockDoc>('blocks')),
    eraseFrom(db.collection<StampDoc>(STAMPS)),
    eraseFrom(goneCollection(db)),
  ]);
