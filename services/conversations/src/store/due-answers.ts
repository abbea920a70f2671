import { compute, fromNow, LIVE, literal, outbox, passed } from '@parley/runtime/mongo';
import type { Document, Filter } from 'mongodb';
import type { Evidence } from '../domain/evidence.ts';
import { type Claim, evidenceOf, held, lost, type NewAnswer } from './claims.ts';
import { answerEnded, draftMade, waiting } from './events.ts';
import type { DraftDoc, EntryDoc, ThreadDoc } from './model.ts';
import { unlessOf } from './stages.ts';
import type { Threads } from './threads.ts';

export type DueAnswers = ReturnType<typeof dueAnswerStore>;

/** Index: the answers that wait, in the order in which they are due. A question in a chat is never due. */
export const DUE_INDEX = {
  key: { 'pending.until': 1 },
  partialFilterExpression: { 'pending.due': true },
} as const;

/** A claim, and what is needed to answer. */
export interface DueAnswer {
  claim: Claim;
  thread: ThreadDoc;
  /** The entries up to the one that waits, which is the last. */
  said: EntryDoc[];
}

/** The AI's answers in tickets and emails: a queue that workers of any process share. */
export function dueAnswerStore(threads: Threads) {
  const { collection, entries } = threads;
  const end = async (account: string, claim: Claim, stages: Document[]): Promise<boolean> =>
    (await collection.unlisted.updateOne(held(account, claim), stages)).matchedCount > 0;

  return {
    /**
     * Claims the answer that has been due longest; undefined if none is. Takes no account: this is how a worker finds its
     * work. An expired claim is due again.
     *
     * @param except accounts to leave out
     * @param most entries of the conversation
     */
    async claim(leaseMs: number, except: readonly string[], most: number): Promise<DueAnswer | undefined> {
      const free: Filter<ThreadDoc> = { 'pending.due': true, hold: null, blocked_at: null, ...LIVE };
      const thread = await collection.unlisted.findOneAndUpdate(
        { ...free, ...unlessOf(except), ...passed('pending.until') },
        claims(leaseMs),
        {
          sort: { 'pending.until': 1 },
          returnDocument: 'after',
        },
      );
      if (!thread) return undefined;
      const { entry, fence } = thread.pending!;
      const { n } = (await entries.find(thread, entry))!;
      const said = await entries.of(thread, { said: true, before: n + 1, limit: most });
      return { claim: { thread: thread._id, entry, fence }, thread, said };
    },

    /**
     * Gives a claim back; false if it was no longer the caller's.
     *
     * @param counts whether this attempt counts
     */
    postpone: (account: string, claim: Claim, ms: number, counts: boolean): Promise<boolean> =>
      end(account, claim, [
        compute({
          'pending.until': fromNow(ms),
          'pending.attempts': counts ? '$pending.attempts' : { $subtract: ['$pending.attempts', 1] },
        }),
      ]),

    /** Ends a claim without an answer, of which the owner hears; false if it was no longer the caller's. */
    async decline(account: string, claim: Claim, evidence?: Evidence): Promise<boolean> {
      const thread = await collection.findOne(held(account, claim));
      if (!thread) return false;
      await keepEvidence(thread, claim, evidence);
      const events = [answerEnded(thread, claim.entry, 'no_evidence'), waiting(thread)];
      return end(account, claim, [compute({ pending: null }), ...events.flatMap((event) => outbox(event))]);
    },

    /** Ends a claim with a draft. @throws AppError `aborted` if it is no longer the caller's. */
    async draft(account: string, claim: Claim, { evidence, ...answer }: NewAnswer): Promise<void> {
      const thread = await threads.thread(account, claim.thread);
      const isHeld = thread.pending?.entry === claim.entry && thread.pending.fence === claim.fence;
      if (!isHeld) {
        // Its answer was lost.
        if (thread.draft?.entry === claim.entry && thread.draft.fence === claim.fence) return;
        throw lost(thread, claim.entry);
      }
      await keepEvidence(thread, claim, evidence);
      const draft: Omit<DraftDoc, 'at'> = { ...answer, entry: claim.entry, fence: claim.fence };
      const stored = await end(account, claim, [
        compute({ draft: { $mergeObjects: [literal(draft), { at: '$$NOW' }] }, pending: null, failed: null }),
        ...outbox(draftMade(thread, claim.entry, answer.confidence)),
        ...outbox(waiting(thread)),
      ]);
      if (!stored) throw lost(await threads.thread(account, claim.thread), claim.entry);
    },
  };

  /** Keeps what the draft rests on. It stands in scope of that of an answer until the draft is sent. */
  async function keepEvidence(thread: ThreadDoc, claim: Claim, evidence: Evidence | undefined): Promise<void> {
    if (!evidence) return;
    await entries.evidence.keep(await evidenceOf(threads, thread, claim.entry, claim.entry, evidence));
    // It may have been deleted since it was read.
    threads.persistLastEntry(thread);
  }
}

/** The claim's other fields stay: whether it is due again later, and for whom. */
const claims = (leaseMs: number): Document[] => [
  compute({ fence: { $add: ['$fence', 1] } }),
  compute({
    'pending.fence': '$fence',
    'pending.until': fromNow(leaseMs),
    'pending.attempts': { $add: ['$pending.attempts', 1] },
  }),
];
