import type { ObjectStore } from '@parley/runtime/objects';
import type { Db } from 'mongodb';
import { blockStore } from './blocks.ts';
import { claimStore } from './claims.ts';
import { draftStore } from './drafts.ts';
import { dueAnswerStore } from './due-answers.ts';
import { mailFileStore } from './mail-files.ts';
import { mailStore } from './mails.ts';
import { noticeStore } from './notices.ts';
import { outgoingStore } from './outgoing.ts';
import { pendingCreationStore } from './pending-creation.ts';
import { peopleStore } from './people.ts';
import { questionStore } from './questions.ts';
import { receivingStore } from './receiving.ts';
import { removalStore } from './removal.ts';
import type { Settings } from './settings.ts';
import { type Beside, threadStore } from './threads.ts';
import { visitorStore } from './visitors.ts';

export type Stores = ReturnType<typeof conversationStores>;

/** The stores of the conversations database. */
export function conversationStores(
  db: Db,
  settings: Settings,
  objects: Pick<ObjectStore, 'deletePrefix'>,
  beside?: Beside,
) {
  const threads = threadStore(db, settings.limits, beside);
  const blocks = blockStore(db, threads);
  const mails = mailStore(db, threads.usage);
  const notices = noticeStore(db);
  const mailFiles = mailFileStore(threads, objects);
  const removal = removalStore(threads, [blocks, mailFiles, mails, notices]);
  const people = peopleStore(threads, settings);
  const pendingCreations = pendingCreationStore(threads, blocks, removal, settings);
  return {
    threads,
    blocks,
    removal,
    questions: questionStore(threads, blocks, removal),
    visitors: visitorStore(threads, blocks),
    pendingCreations,
    claims: claimStore(threads, settings),
    dueAnswers: dueAnswerStore(threads),
    drafts: draftStore(threads, settings),
    people,
    mails,
    notices,
    mailFiles,
    receiving: receivingStore(threads, mails, pendingCreations, people),
    outgoing: outgoingStore(threads, mails, settings),
    usage: threads.usage,
  };
}
