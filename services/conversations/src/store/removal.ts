import { unavailable } from '@parley/runtime';
import { LIVE } from '@parley/runtime/mongo';
import type { Filter } from 'mongodb';
import type { Blocks } from './blocks.ts';
import { KINDS, type Place, type Stamped, type ThreadDoc } from './model.ts';
import type { Threads } from './threads.ts';

/** Threads removed at a time. */
const BATCH = 200;

export type Removal = ReturnType<typeof removalStore>;

/** Removes what belongs to assistants that were deleted. */
export function removalStore({ collection, entries, stamps, gone }: Threads, blocks: Blocks) {
  /** First ends all writing, so that no writer adds an entry after the entries were removed. */
  async function remove(account: string, ids: string[], when: Filter<ThreadDoc>): Promise<void> {
    const _id = { $in: ids };
    await collection.updateMany({ _id, account, ...LIVE }, { $currentDate: { deleted_at: true } });
    await entries.drop(account, ids);
    await collection.deleteMany({ _id, account, ...when });
  }

  async function removeThreads({ account, kind, assistant }: Place): Promise<void> {
    const all: Filter<ThreadDoc> = { account, kind, assistant };
    const published: Filter<ThreadDoc> = { outbox_due: { $exists: false } };
    const part = { projection: { _id: 1 }, limit: BATCH };
    for (;;) {
      const found = await collection.find({ ...all, ...published }, part).toArray();
      if (found.length === 0) break;
      await remove(
        account,
        found.map(({ _id }) => _id),
        published,
      );
    }
    // The relay needs a moment for the last events; the bus tries this again.
    if (await collection.findOne(all, { projection: { _id: 1 } }))
      throw unavailable('Some conversations of a deleted assistant still have events to publish.');
  }

  /** Removes a thread that was created after its assistant was deleted, with its event. */
  async function undo(thread: Stamped & { _id: string }): Promise<void> {
    await remove(thread.account, [thread._id], {});
    await stamps.drop(thread);
  }

  return {
    undo,

    /**
     * Does again what the writer of a thread's event does after its write, since it may have died before: bumps the stamps,
     * which may not even exist yet, and removes the thread if its assistant was deleted meanwhile. Idempotent.
     */
    async settle(account: string, id: string): Promise<void> {
      const projection = { account: 1, kind: 1, assistant: 1, created_at: 1 };
      const thread = await collection.findOne<Stamped & { _id: string }>({ _id: id, account }, { projection });
      if (!thread) return;
      await stamps.create(thread);
      if (await gone.isGone(thread.assistant)) await undo(thread);
    },

    /** Removes all that an assistant had; from now on, nothing of it can be created. Idempotent. */
    async forget(account: string, assistant: string): Promise<void> {
      await gone.markGone(assistant);
      for (const kind of KINDS) {
        const place = { account, kind, assistant };
        await removeThreads(place);
        await blocks.drop(place);
        await stamps.drop(place);
      }
    },
  };
}
