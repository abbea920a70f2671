import type { Db } from 'mongodb';
import { blockStore } from './blocks.ts';
import { claimStore } from './claims.ts';
import { openingStore } from './opening.ts';
import { peopleStore } from './people.ts';
import { questionStore } from './questions.ts';
import { removalStore } from './removal.ts';
import { type Beside, threadStore } from './threads.ts';

export type Stores = ReturnType<typeof conversationStores>;

/** The stores of the conversations database. */
export function conversationStores(db: Db, beside?: Beside) {
  const threads = threadStore(db, beside);
  const blocks = blockStore(db, threads);
  const removal = removalStore(threads, blocks);
  return {
    threads,
    blocks,
    removal,
    questions: questionStore(threads, removal),
    openings: openingStore(threads, blocks, removal),
    claims: claimStore(threads),
    people: peopleStore(threads),
  };
}
