import { unavailable } from '@parley/runtime';
import { LIVE } from '@parley/runtime/mongo';
import type { Filter } from 'mongodb';
import type { Blocks } from './blocks.ts';
import { KINDS, type Place, type ThreadDoc } from './model.ts';
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

  return {
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

    /** Removes a thread that was created after its assistant was deleted, with its event. */
    async undo(thread: ThreadDoc): Promise<void> {
      await remove(thread.account, [thread._id], {});
      await stamps.drop(thread);
    },
  };
}
