import { compute, deriveId, LIVE, literal, type Page, type PageRequest, page } from '@parley/runtime';
import { buildId, type SubPageDoc } from '../model.ts';
import { keepOrWithdraw } from './builds.ts';
import type { Collections } from './collections.ts';
import type { TrainingJob } from './training.ts';

/** What became of a page: its content, or a sentence that says why there is none. */
export type PageOutcome = { content: NonNullable<SubPageDoc['content']> } | { failed_with: string };

const BY_URL = { fields: ['page_url'], direction: 1 } as const;

export type SubPageStore = ReturnType<typeof subPageStore>;

export function subPageStore(c: Collections) {
  return {
    /** Records a page of the job's build, in the place of what was recorded of it before. @throws LeaseLost */
    async record(job: TrainingJob, page_url: string, outcome: PageOutcome): Promise<void> {
      const { account, item, build } = job;
      const trained = 'content' in outcome;
      const fields = trained
        ? { training_failed_at: null, training_failed_with: null, content: outcome.content }
        : { trained_at: null, training_failed_with: outcome.failed_with };
      const _id = deriveId(build, page_url);
      await c.subPages.updateOne(
        { _id, account },
        [
          { $replaceWith: literal({ _id, account, item, build, page_url, ...fields }) },
          compute({ [trained ? 'trained_at' : 'training_failed_at']: '$$NOW' }),
        ],
        { upsert: true },
      );
      await keepOrWithdraw(c, job);
    },

    /** The page as other builds have it, newest first: what a run compares and reuses. */
    async recorded(account: string, builds: readonly string[], page_url: string): Promise<SubPageDoc[]> {
      const ids = builds.map((build) => deriveId(build, page_url));
      const found = await c.subPages.find({ _id: { $in: ids }, account }).toArray();
      return found.sort((a, b) => ids.indexOf(a._id) - ids.indexOf(b._id));
    },

    /** The pages of an item as its latest run found them, by page_url. */
    async page(account: string, item: string, request: PageRequest): Promise<Page<SubPageDoc>> {
      const found = await c.items.findOne({ _id: item, account, ...LIVE }, { projection: { 'training.fence': 1 } });
      const build = buildId(item, found?.training.fence ?? 0);
      return page(c.subPages, { account, build }, request, BY_URL);
    },
  };
}
