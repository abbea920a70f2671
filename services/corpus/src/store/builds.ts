import { insertOnce, LeaseLost, type ObjectStore } from '@parley/runtime';
import { type BuildDoc, buildPrefix } from '../model.ts';
import type { Collections } from './collections.ts';
import { deleteFolder } from './delete-folder.ts';
import { held, type TrainingJob } from './training.ts';

export type BuildStore = ReturnType<typeof buildStore>;

export function buildStore(c: Collections) {
  return {
    /** Records the job's build; comes before all that is written to it. @throws LeaseLost */
    async open(job: TrainingJob, model: string | null): Promise<void> {
      const { account, item, generation, fence } = job;
      const build = { account, item, generation, fence, model, retired_at: null, emptied_at: null };
      await insertOnce(c.builds, { _id: job.build, ...build });
      if (await c.items.findOne(held(job), { projection: { _id: 1 } })) return;
      await withdraw(c, job);
      throw new LeaseLost();
    },

    /** The item's other builds, newest first: what a run may reuse pages and vectors of. They may vanish meanwhile. */
    earlier: ({ account, item, fence }: TrainingJob): Promise<BuildDoc[]> =>
      c.builds
        .find({ account, item, fence: { $lt: fence }, retired_at: null })
        .sort({ fence: -1 })
        .toArray(),

    /** For a worker that has lost its lease: removes what it wrote, where nobody else would. */
    async discard(job: TrainingJob, objects: ObjectStore): Promise<void> {
      if (await isKept(c, job)) return;
      await withdraw(c, job);
      await deleteFolder(objects, buildPrefix(job.account, job.item, job.fence));
    },
  };
}

/**
 * Comes after everything that is written to a build: whoever empties a build retires it first, so a write that finds it
 * kept was early enough to be emptied with it, and any other one is taken back here, however late its worker woke up.
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

/** Removes what a build holds in the database, but for its own record. */
export async function emptyBuild({ chunks, subPages }: Collections, account: string, build: string): Promise<void> {
  await chunks.deleteMany({ account, build });
  await subPages.deleteMany({ account, build });
}
