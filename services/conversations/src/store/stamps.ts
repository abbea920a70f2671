import { deleteInParts, isDuplicate } from '@parley/runtime/mongo';
import type { Db } from 'mongodb';
import type { Kind, Place, ThreadDoc } from './model.ts';

/** Counts the changes of what a list of threads counts. */
export interface StampDoc {
  _id: string;
  account: string;
  kind: Kind;
  assistant: string;
  /** Such as `2026-01-31`, in UTC; null for all threads of the assistant. */
  day: string | null;
  n: number;
}

export type Stamped = Pick<ThreadDoc, 'account' | 'kind' | 'assistant' | 'created_at'>;

export type Stamps = ReturnType<typeof stampStore>;

/**
 * Stamps make totals cacheable. The rule: every write that adds a thread to a list, removes it or changes a field that
 * lists filter by (the status), bumps two stamps after it and before it is acknowledged: the one of the assistant, and the
 * one of the day on which the thread was created. A reader reads the stamp, counts, and reads it again; the total may be
 * kept for as long as the stamp stays equal. A total of whole days depends on the stamps of those days only.
 *
 * A process may die between the write and its bump. The event of the same write then makes up for it, since each of those
 * writes has one: see `consumeOwn`.
 *
 * There is one document for an assistant, and one for each day on which a thread of it was created. Whoever creates them
 * then looks whether the assistant was deleted, and drops them if so; a bump of a change creates none.
 */
export function stampStore(db: Db) {
  const stamps = db.collection<StampDoc>('list_stamps');

  const daysOf = ({ created_at }: Stamped) => [null, created_at.toISOString().slice(0, 10)];
  const idOf = ({ account, kind, assistant }: Place, day: string | null) =>
    [account, kind, assistant, day ?? 'all'].join('/');

  const bump = async (thread: Stamped, upsert: boolean): Promise<void> => {
    const { account, kind, assistant } = thread;
    const operations = daysOf(thread).map((day) => ({
      updateOne: {
        filter: { _id: idOf(thread, day), account },
        update: { $inc: { n: 1 }, $setOnInsert: { kind, assistant, day } },
        upsert,
      },
    }));
    const write = () => stamps.bulkWrite(operations, { ordered: false });
    // Of two concurrent upserts, one gets a duplicate key; its second attempt finds the document. Bumping the other stamp
    // twice does no harm.
    await write().catch((error) => (isDuplicate(error) ? write() : Promise.reject(error)));
  };

  return {
    /** Bumps the stamps of a thread, and creates them if they are missing. */
    create: (thread: Stamped): Promise<void> => bump(thread, true),

    /** Creates the stamps of a thread that is about to be in a list, if they are missing. */
    async ensure(thread: Stamped): Promise<void> {
      const _id = { $in: daysOf(thread).map((day) => idOf(thread, day)) };
      const found = await stamps.countDocuments({ _id, account: thread.account });
      if (found < 2) await bump(thread, true);
    },

    /** Bumps the stamps of a thread whose change matters to lists. */
    bump: (thread: Stamped): Promise<void> => bump(thread, false),

    /** Removes all stamps of an assistant. */
    drop: ({ account, kind, assistant }: Place): Promise<void> => deleteInParts(stamps, { account, kind, assistant }),
  };
}
