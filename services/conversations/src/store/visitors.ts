import { isDeepStrictEqual } from 'node:util';
import { failedPrecondition, notFound } from '@parley/runtime';
import { compute, LIVE, literal, outbox } from '@parley/runtime/mongo';
import type { Document, Filter } from 'mongodb';
import { addressesOf, MAX_VOTES, type Visitor, type VoteKind } from '../domain/visitors.ts';
import type { Blocks } from './blocks.ts';
import type { ThreadDoc } from './model.ts';
import { blocked } from './questions.ts';
import { retryOnConflict, type Threads } from './threads.ts';

/** Names the chat of a visitor. */
export interface VisitorChat {
  account: string;
  assistant: string;
  session: string;
  /** The visitor's id. */
  visitor: string;
}

export interface NewVote {
  /** The answer. */
  entry: string;
  vote: VoteKind;
  /** May be empty. */
  reason: string;
}

export type Visitors = ReturnType<typeof visitorStore>;

/** Does what visitors do with their chats besides asking. */
export function visitorStore(threads: Threads, blocks: Blocks) {
  const { collection, entries } = threads;

  /** @throws AppError `not_found` if it is another visitor's, `permission_denied` if it is blocked. */
  async function chat({ account, assistant, session, visitor }: VisitorChat): Promise<ThreadDoc> {
    const thread = await threads.bySession(account, assistant, session);
    if (thread.visitor?.id !== visitor) throw notFound('There is no such conversation.');
    if (thread.blocked_at) throw blocked();
    return thread;
  }

  /** Null if the thread was blocked or deleted, or does not meet the condition any more. */
  function change({ _id, account }: ThreadDoc, condition: Filter<ThreadDoc>, stages: Document[]) {
    const filter: Filter<ThreadDoc> = { $and: [{ _id, account, blocked_at: null, ...LIVE }, condition] };
    return collection.write(async (raw) => {
      const result = await raw.findOneAndUpdate(filter, stages, { returnDocument: 'after' });
      return { result, changed: [], moved: result ? [result] : [] };
    });
  }

  return {
    chat,

    /**
     * Replaces what is known about the visitor of a chat; idempotent. False, and nothing changes, if another verified person
     * is known already: their chat is not handed over.
     */
    identify: (at: Omit<VisitorChat, 'visitor'>, visitor: Visitor): Promise<boolean> =>
      retryOnConflict(async () => {
        const thread = await chat({ ...at, visitor: visitor.id });
        const known = thread.visitor!;
        if (known.verified && !visitor.verified)
          throw failedPrecondition('This visitor is vouched for, so a change must be vouched for, too.');
        if (known.verified && known.user_id !== visitor.user_id) return false;
        if (isDeepStrictEqual(known, visitor)) return true;
        const [address] = addressesOf(visitor);
        // A version counts the blocks of one address.
        const moved = address !== thread.address && { address: literal(address), block_version: '$$REMOVE' };
        const identified = await change(
          thread,
          { 'visitor.verified': known.verified, 'visitor.user_id': known.user_id },
          [
            compute({ visitor: literal(visitor), ...moved }),
            ...outbox({
              case: 'visitorIdentified',
              value: { chatbotId: thread.assistant, verified: visitor.verified },
            }),
          ],
        );
        if (identified && (await blocks.reach(identified))) throw blocked();
        return identified && true;
      }),

    /** Sets the vote on an answer; idempotent. */
    vote: (at: VisitorChat, { entry, vote, reason }: NewVote): Promise<true> =>
      retryOnConflict(async () => {
        const thread = await chat(at);
        const { votes = [] } = thread;
        if (votes.some((one) => one.entry === entry && one.vote === vote && one.reason === reason)) return true;
        if ((await entries.own(thread, entry))?.by !== 'ai') throw notFound('There is no such answer.');
        if (votes.length >= MAX_VOTES && !votes.some((one) => one.entry === entry))
          throw failedPrecondition(`At most ${MAX_VOTES} answers of a conversation can have votes.`);
        const stored = { $ifNull: ['$votes', []] };
        const others = { $filter: { input: stored, cond: { $ne: ['$$this.entry', literal(entry)] } } };
        const given = { entry: literal(entry), vote: literal(vote), reason: literal(reason), at: '$$NOW' };
        const voted = await change(thread, { $expr: { $lt: [{ $size: others }, MAX_VOTES] } }, [
          compute({ votes: { $concatArrays: [others, [given]] } }),
          ...outbox({
            case: 'answerVotedOn',
            value: { chatbotId: thread.assistant, messageId: entry, vote },
          }),
        ]);
        return voted && true;
      }),
  };
}
