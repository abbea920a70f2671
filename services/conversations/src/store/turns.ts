import { compute, fromNow, insertOnce, isDuplicate, literal, passed, set } from '@parley/runtime';
import type { Db, Document, Filter } from 'mongodb';
import type { Answer, TurnDoc } from './model.ts';

export type NewTurn = Pick<TurnDoc, '_id' | 'assistant' | 'thread' | 'n' | 'question' | 'bytes_before'>;

/** A turn as its owner holds it: of its latest claim, or else not theirs any more. */
export interface Held {
  id: string;
  fence: number;
}

export type Turns = ReturnType<typeof turnStore>;

export function turnStore(db: Db) {
  const turns = db.collection<TurnDoc>('turns');
  const pending = (account: string, { id, fence }: Held): Filter<TurnDoc> => ({
    _id: id,
    account,
    state: 'pending',
    fence,
  });
  const changed = async (filter: Filter<TurnDoc>, ...stages: Document[]): Promise<boolean> =>
    (await turns.updateOne(filter, stages)).matchedCount > 0;
  const unanswered = set({ state: 'unanswered' });
  const ended = compute({ until: '$$REMOVE' });

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
      return insertOnce(turns, document, [times]);
    },

    /** Takes over a turn that was given up; null where it was not, or another turn of its thread is pending. */
    async claim(account: string, id: string, leaseMs: number): Promise<TurnDoc | null> {
      const claimed = compute({ state: 'pending', fence: { $add: ['$fence', 1] }, until: fromNow(leaseMs) });
      const givenUp: Filter<TurnDoc>[] = [{ state: 'unanswered' }, { state: 'pending', ...passed('until') }];
      const filter = { _id: id, account, $or: givenUp };
      return turns.findOneAndUpdate(filter, [claimed], { returnDocument: 'after' }).catch((error) => {
        if (isDuplicate(error)) return null;
        throw error;
      });
    },

    /** False where it is no longer the holder's. */
    extend: (account: string, held: Held, leaseMs: number): Promise<boolean> =>
      changed(pending(account, held), compute({ until: fromNow(leaseMs) })),

    /** The same claim may answer again, which changes nothing; false where it is not the latest. */
    async answer(account: string, held: Held, answer: Answer): Promise<boolean> {
      const { matchedCount } = await turns.updateOne(pending(account, held), {
        $set: { state: 'answered', answer },
        $unset: { until: true },
        $currentDate: { updated_at: true },
      });
      if (matchedCount > 0) return true;
      return (await turns.findOne({ _id: held.id, account, state: 'answered', fence: held.fence })) !== null;
    },

    /** Gives up a turn that one holds; false where one does not. */
    abandon: (account: string, held: Held): Promise<boolean> => changed(pending(account, held), unanswered, ended),

    /** Gives up a pending turn of the thread whose time has passed; says whether there was one. */
    expire: (account: string, thread: string): Promise<boolean> =>
      changed({ thread, account, state: 'pending', ...passed('until') }, unanswered),

    /** When something was last said in threads, by thread. */
    async lastSaid(account: string, threads: string[]): Promise<Map<string, Date>> {
      const said = turns.aggregate<{ _id: string; at: Date }>([
        { $match: { account, thread: { $in: threads } } },
        { $group: { _id: '$thread', at: { $max: '$updated_at' } } },
      ]);
      return new Map((await said.toArray()).map(({ _id, at }) => [_id, at]));
    },

    /** For the sweeper, of any account: a turn whose time has passed. */
    due: (): Promise<TurnDoc | null> => turns.findOne({ until: { $exists: true }, ...passed('until') }),

    /** Ends a turn that is due, unless someone has claimed or answered it meanwhile. */
    async giveUp({ _id, account, fence }: TurnDoc): Promise<void> {
      // An earlier version of this service leaves a time on answered turns, too.
      const state = { $cond: [{ $eq: ['$state', 'pending'] }, literal('unanswered'), '$state'] };
      await changed({ _id, account, fence, until: { $exists: true }, ...passed('until') }, compute({ state }), ended);
    },
  };
}
