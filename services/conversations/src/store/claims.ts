import { aborted } from '@parley/runtime';
import { compute, fromNow, LIVE } from '@parley/runtime/mongo';
import type { Filter } from 'mongodb';
import type { Source } from '../domain/entries.ts';
import type { Confidence, Evidence } from '../domain/evidence.ts';
import { answerId, type EntryDoc, type EvidenceDoc, type ThreadDoc } from './model.ts';
import { claimed, IDLE } from './stages.ts';
import { insist, type Threads } from './threads.ts';

/** The right to answer an entry. */
export interface Claim {
  thread: string;
  entry: string;
  fence: number;
}

export type Claims = ReturnType<typeof claimStore>;

/** The AI's operations on a thread: claim a pending entry, then answer or fail. */
export function claimStore(threads: Threads) {
  const { collection, entries } = threads;
  const held = (account: string, { thread, entry, fence }: Claim): Filter<ThreadDoc> => ({
    _id: thread,
    account,
    ...LIVE,
    'pending.entry': entry,
    'pending.fence': fence,
  });

  return {
    /** Claims a pending entry that nobody is working on; undefined if `entry` is not that one. */
    async claim(account: string, thread: string, entry: string, leaseMs: number): Promise<Claim | undefined> {
      const filter: Filter<ThreadDoc> = {
        _id: thread,
        account,
        ...LIVE,
        hold: null,
        blocked_at: null,
        'pending.entry': entry,
        ...IDLE,
      };
      const update = claimed(entry, leaseMs);
      const taken = await collection.findOneAndUpdate(filter, update, { returnDocument: 'after' });
      return taken ? { thread, entry, fence: taken.fence } : undefined;
    },

    /** False if the claim is no longer the caller's. */
    async extend(account: string, claim: Claim, leaseMs: number): Promise<boolean> {
      const update = [compute({ 'pending.until': fromNow(leaseMs) })];
      return (await collection.updateOne(held(account, claim), update)).matchedCount > 0;
    },

    /**
     * Stores the answer and returns the stored one: an entry has at most one, and the first wins.
     *
     * @throws AppError `aborted` if there is none and the claim is no longer the caller's.
     */
    answer(account: string, claim: Claim, { evidence, ...answer }: NewAnswer): Promise<EntryDoc> {
      const { entry, fence } = claim;
      const _id = answerId(entry);
      return insist(async () => {
        const thread = await threads.thread(account, claim.thread);
        // While the claim exists there is no answer: storing one ends the claim.
        if (thread.pending?.entry !== entry || thread.pending.fence !== fence) {
          const stored = await entries.find(thread, _id);
          if (stored) return stored;
          throw lost(thread, entry);
        }
        const acted = await threads.act(thread, {
          guard: { 'pending.entry': entry, 'pending.fence': fence, hold: null, blocked_at: null },
          entry: { _id, by: 'ai', in_reply_to: entry, ...answer },
          evidence: evidence && (await evidenceOf(thread, entry, _id, evidence)),
          effects: [compute({ pending: null, failed: null })],
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
      const thread = evidence && (await collection.findOne(filter));
      if (thread) await entries.evidence.fail(await evidenceOf(thread, claim.entry, claim.entry, evidence));
      const update = { $set: { pending: null, failed: claim.entry } };
      const ended = (await collection.updateOne(filter, update)).matchedCount > 0;
      // It may have been deleted since it was read.
      if (thread && !ended) threads.keepLast(thread);
      return ended;
    },
  };

  /** @param entry the answer, or the question itself if there is none */
  async function evidenceOf(
    thread: ThreadDoc,
    question: string,
    entry: string,
    evidence: Evidence,
  ): Promise<EvidenceDoc> {
    const { n } = (await entries.find(thread, question))!;
    return { _id: question, account: thread.account, thread: thread._id, n, entry, ...evidence };
  }
}

/** An answer of the AI. */
export interface NewAnswer {
  text: string;
  sources: Source[];
  confidence?: Confidence | null;
  evidence?: Evidence | undefined;
}

function lost({ pending, hold, blocked_at }: ThreadDoc, entry: string) {
  if (blocked_at) return aborted('This conversation was blocked while it was being answered.');
  if (hold) return aborted('A person has taken over this conversation from the AI.');
  if (pending?.entry === entry) return aborted('Another attempt has taken over this question.');
  return aborted('This question was abandoned because its answer took too long.');
}
