import { aborted } from '@parley/runtime';
import { compute, fromNow, LIVE, outbox } from '@parley/runtime/mongo';
import type { Document, Filter } from 'mongodb';
import type { Answered } from '../domain/entries.ts';
import type { Evidence } from '../domain/evidence.ts';
import { answerEnded, messageAdded, waiting } from './events.ts';
import { answerId, type EntryDoc, type EvidenceDoc, type ThreadDoc } from './model.ts';
import { mailedAs, type Settings } from './settings.ts';
import { retryOnConflict, type Threads } from './threads.ts';

/** The right to answer an entry. */
export interface Claim {
  thread: string;
  entry: string;
  fence: number;
}

export type Claims = ReturnType<typeof claimStore>;

/** Filter: the claim is still its holder's. */
export const held = (account: string, { thread, entry, fence }: Claim): Filter<ThreadDoc> => ({
  _id: thread,
  account,
  ...LIVE,
  'pending.entry': entry,
  'pending.fence': fence,
});

/** Does what the holder of a claim on a pending entry does: extend it, then answer or fail. */
export function claimStore(threads: Threads, settings: Settings) {
  const { collection, entries } = threads;

  return {
    /** False if the claim is no longer the caller's. */
    async extend(account: string, claim: Claim, leaseMs: number): Promise<boolean> {
      const update = [compute({ 'pending.until': fromNow(leaseMs) })];
      return (await collection.unlisted.updateOne(held(account, claim), update)).matchedCount > 0;
    },

    /**
     * Stores the answer and returns the stored one: an entry has at most one, and the first wins.
     *
     * @throws AppError `aborted` if there is none and the claim is no longer the caller's.
     */
    answer(account: string, claim: Claim, { evidence, ...answer }: NewAnswer): Promise<EntryDoc> {
      const { entry, fence } = claim;
      const _id = answerId(entry);
      return retryOnConflict(async () => {
        const thread = await threads.thread(account, claim.thread);
        // While the claim exists there is no answer: storing one ends the claim.
        if (thread.pending?.entry !== entry || thread.pending.fence !== fence) {
          const stored = await entries.find(thread, _id);
          if (stored) return stored;
          throw lost(thread, entry);
        }
        const outcome = evidence?.outcome === 'no_evidence' ? evidence.outcome : 'answered';
        const ended = answerEnded(thread, entry, outcome, { _id, ...answer });
        const acted = await threads.act(thread, {
          guard: { 'pending.entry': entry, 'pending.fence': fence, hold: null, blocked_at: null },
          entry: { _id, by: 'ai', in_reply_to: entry, ...answer, ...mailedAs(settings, thread, 'automatic') },
          evidence: evidence && (await evidenceOf(threads, thread, entry, _id, evidence)),
          ...(thread.kind === 'chat'
            ? { effects: [ENDED], events: [ended] }
            : { effects: [ENDED, compute({ answered: true })], events: [messageAdded(thread, _id, 'ai'), ended] }),
        });
        return acted && acted.last!;
      });
    },

    /**
     * Ends a claim without an answer; false if it was no longer the caller's.
     *
     * @param evidence what the attempt rested on; an answer replaces it.
     */
    async fail(account: string, claim: Claim, evidence?: Evidence): Promise<boolean> {
      const filter = held(account, claim);
      const thread = await collection.findOne(filter);
      if (!thread) return false;
      if (evidence) await entries.evidence.fail(await evidenceOf(threads, thread, claim.entry, claim.entry, evidence));
      const update: Document[] = [
        compute({ pending: null, failed: '$pending.entry' }),
        ...outbox(answerEnded(thread, claim.entry, 'failed')),
      ];
      if (thread.kind !== 'chat') update.push(...outbox(waiting(thread)));
      const ended = (await collection.unlisted.updateOne(filter, update)).matchedCount > 0;
      // It may have been deleted since it was read.
      if (!ended) threads.persistLastEntry(thread);
      return ended;
    },
  };
}

const ENDED: Document = compute({ pending: null, failed: null });

/** @param entry the answer, or the question itself if there is none */
export async function evidenceOf(
  { entries }: Threads,
  thread: ThreadDoc,
  question: string,
  entry: string,
  evidence: Evidence,
): Promise<EvidenceDoc> {
  const { n } = (await entries.find(thread, question))!;
  return { _id: question, account: thread.account, thread: thread._id, n, entry, ...evidence };
}

/** An answer of the AI. */
export interface NewAnswer extends Answered {
  evidence?: Evidence | undefined;
}

/** Why a claim is no longer its holder's. */
export function lost({ pending, hold, blocked_at }: ThreadDoc, entry: string) {
  if (blocked_at) return aborted('This conversation was blocked while it was being answered.');
  if (hold) return aborted('A person has taken over this conversation from the AI.');
  if (pending?.entry === entry) return aborted('Another attempt has taken over this question.');
  return aborted('This question was abandoned because its answer took too long.');
}
