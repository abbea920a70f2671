import { deleteInParts, insertOnce, LeaseLost } from '@parley/runtime/mongo';
import type { ObjectStore } from '@parley/runtime/objects';
import type { BuildDoc, BuildFile } from '../model.ts';
import { buildPrefix } from '../object-keys.ts';
import type { Collections } from './collections.ts';
import { deleteFolder } from './delete-folder.ts';
import { held, type TrainingJob } from './queue.ts';

export type BuildStore = ReturnType<typeof buildStore>;

export function buildStore(c: Collections) {
  return {
    /** Records the job's build, before anything is written to it. @throws LeaseLost */
    async open(job: TrainingJob, model: string | null): Promise<void> {
      const { account, item, generation, fence } = job;
      const build = { account, item, generation, fence, model, retired_at: null, emptied_at: null };
      await insertOnce(c.builds, { _id: job.build, ...build });
      if (await c.items.findOne(held(job), { projection: { _id: 1 } })) return;
      await withdraw(c, job);
      throw new LeaseLost();
    },

    /** Records the model of a build that was opened without one, before its first chunk. Idempotent. @throws LeaseLost */
    async setModel({ account, build }: TrainingJob, model: string): Promise<void> {
      const unset = { _id: build, account, retired_at: null, model: { $in: [null, model] } };
      const { matchedCount } = await c.builds.updateOne(unset, { $set: { model } });
      if (matchedCount === 0) throw new LeaseLost();
    },

    /** Records a file of the job's build that was uploaded. @throws LeaseLost */
    async setFile({ account, build }: TrainingJob, file: BuildFile): Promise<void> {
      const kept = { _id: build, account, retired_at: null };
      const { matchedCount } = await c.builds.updateOne(kept, { $set: { file } });
      if (matchedCount === 0) throw new LeaseLost();
    },

    /** The item's earlier builds, newest first: a run may reuse their pages and vectors. They may vanish at any time. */
    earlier: ({ account, item, fence }: TrainingJob): Promise<BuildDoc[]> =>
      c.builds
        .find({ account, item, fence: { $lt: fence }, retired_at: null })
        .sort({ fence: -1 })
        .toArray(),

    /** For a worker that lost its lease: removes what it wrote, unless the sweeper will. */
    async discard(job: TrainingJob, objects: ObjectStore): Promise<void> {
      if (await isKept(c, job)) return;
      await withdraw(c, job);
      await deleteFolder(objects, buildPrefix(job.account, job.item, job.fence));
    },
  };
}

/**
 * Runs after every write to a build. A build is retired before it is emptied: if it is not retired yet, the emptying will
 * include this write; otherwise the write is undone here, however late its worker woke up.
 *
 * @throws LeaseLost
 */
export async function keepOrWithdraw(c: Collections, job: TrainingJob): Promise<void> {
  if (await isKept(c, job)) return;
  await withdraw(c, job);
  throw new LeaseLost();
}

const isKept = async ({ builds }: Collections, { account, build }: TrainingJob): Promise<boolean> =>
  (await builds.findOne({ _id: build, account, retired_at: null }, { projection: { _id: 1 } })) !== null;

async function withdraw(c: Collections, { account, build }: TrainingJob): Promise<void> {
  await emptyBuild(c, account, build);
  await c.builds.deleteOne({ _id: build, account });
}

/** Removes the contents of a build from the database, but not its own record. */
export async function emptyBuild({ subPages }: Collections, account: string, build: string): Promise<void> {
  await deleteInParts(subPages, { account, build });
}
