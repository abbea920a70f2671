import { compute, fromNow, insertOnce, isDuplicate, literal, passed, set } from '@parley/runtime';
import type { Db, Document, Filter } from 'mongodb';
import type { Answer, TurnDoc } from './model.ts';

export type NewTurn = Pick<TurnDoc, '_id' | 'assistant' | 'thread' | 'n' | 'question' | 'bytes_before'>;

/** A turn as its owner holds it: of its latest claim, or else not theirs any more. */
export interface Held {
  id: string;
  fence: number;
}

/** How long a request has to tell the thread before the sweeper does. */
const HEARD_MS = 10_000;

export type Turns = ReturnType<typeof turnStore>;

export function turnStore(db: Db) {
  const turns = db.collection<TurnDoc>('turns');
  const pending = (account: string, { id, fence }: Held): Filter<TurnDoc> => ({
    _id: id,
    account,
    state: 'pending',
    fence,
  });
  const change = (filter: Filter<TurnDoc>, ...stages: Document[]): Promise<TurnDoc | null> =>
    turns.findOneAndUpdate(filter, stages, { returnDocument: 'after' });
  const unanswered = set({ state: 'unanswered' });

  return {
    turn: (account: string, id: string): Promise<TurnDoc | null> => turns.findOne({ _id: id, account }),

    last: (account: string, thread: string): Promise<TurnDoc | null> =>
      turns.findOne({ thread, account }, { sort: { n: -1 } }),

    /** In order; `before` and `limit` take the last ones before a turn. */
    async of(account: string, thread: string, { before = Infinity, limit = 0 } = {}): Promise<TurnDoc[]> {
      const found = turns.find({ thread, account, n: { $lt: before } }).sort({ n: -1 });
      return (await found.limit(limit).toArray()).reverse();
    },

    /** Stores a question; undefined where the operation has a turn, another has its place, or one is pending. */
    async ask(account: string, turn: NewTurn, leaseMs: number): Promise<TurnDoc | undefined> {
      const document = { ...turn, account, answer: null, state: 'pending', fence: 1 };
      const times = compute({ until: fromNow(leaseMs), updated_at: '$$NOW' });
      if (!(await insertOnce(turns, document, [times]))) return undefined;
      return (await turns.findOne({ _id: turn._id, account, fence: 1 })) ?? undefined;
    },

    /** Takes over a turn that was given up; null where it was not, or another turn of its thread is pending. */
    async claim(account: string, id: string, leaseMs: number): Promise<TurnDoc | null> {
      const claimed = compute({ state: 'pending', fence: { $add: ['$fence', 1] }, until: fromNow(leaseMs) });
      const givenUp: Filter<TurnDoc>[] = [{ state: 'unanswered' }, { state: 'pending', ...passed('until') }];
      return change({ _id: id, account, $or: givenUp }, claimed).catch((error) => {
        if (isDuplicate(error)) return null;
        throw error;
      });
    },

    /** False where it is no longer the holder's. */
    async extend(account: string, held: Held, leaseMs: number): Promise<boolean> {
      return (await change(pending(account, held), compute({ until: fromNow(leaseMs) }))) !== null;
    },

    /** The same claim may answer again, which changes nothing; undefined where it is not the latest. */
    async answer(account: string, held: Held, answer: Answer): Promise<TurnDoc | undefined> {
      const times = compute({ until: fromNow(HEARD_MS), updated_at: '$$NOW' });
      const answered = await change(pending(account, held), set({ state: 'answered', answer }), times);
      return (
        answered ?? (await turns.findOne({ _id: held.id, account, state: 'answered', fence: held.fence })) ?? undefined
      );
    },

    /** Gives up a turn that one holds. */
    abandon: (account: string, held: Held): Promise<TurnDoc | null> =>
      change(pending(account, held), unanswered, compute({ until: fromNow(HEARD_MS) })),

    /** Gives up a pending turn of the thread whose time has passed; says whether there was one. */
    async expire(account: string, thread: string): Promise<boolean> {
      return (await change({ thread, account, state: 'pending', ...passed('until') }, unanswered)) !== null;
    },

    /** The thread has heard of the turn as it was read. */
    async heard({ _id, account, state, fence }: TurnDoc): Promise<void> {
      await turns.updateOne({ _id, account, state, fence }, [compute({ until: '$$REMOVE' })]);
    },

    /** For the sweeper, of any account: a turn whose time has passed, given up if it was pending. */
    async due(): Promise<TurnDoc | null> {
      const state = { $cond: [{ $eq: ['$state', 'pending'] }, literal('unanswered'), '$state'] };
      return change({ until: { $exists: true }, ...passed('until') }, compute({ state }));
    },
  };
}
