import { compute, LIVE, literal, type Page, type PageRequest, page } from '@parley/runtime/mongo';
import { deriveId } from '@parley/runtime/rpc';
import { buildId, pagesFence, type SubPageDoc } from '../model.ts';
import { keepOrWithdraw } from './builds.ts';
import type { Collections } from './collections.ts';
import type { TrainingJob } from './queue.ts';

/**
 * The outcome of a page: its content, with a note if not all of it is searched; or the reason why it has none. A part of
 * a document has a title instead of content: it is read again each time. `bytes` are those of the response, if there was
 * one, or of the part's text.
 */
export type PageOutcome =
  | { content: NonNullable<SubPageDoc['content']>; note?: string | undefined; bytes: number; chunks: number }
  | { title: string; note?: string | undefined; bytes: number; chunks: number }
  | { failed_with: string; title?: string; bytes?: number | undefined };

const BY_URL = { fields: ['page_url'], direction: 1 } as const;

export type SubPageStore = ReturnType<typeof subPageStore>;

export function subPageStore(c: Collections) {
  return {
    /** Records a page of the job's build, replacing any earlier record. @throws LeaseLost */
    async record(job: TrainingJob, page_url: string, outcome: PageOutcome): Promise<void> {
      const { account, item, build } = job;
      const trained = !('failed_with' in outcome);
      const fields = trained
        ? {
            training_failed_at: null,
            training_failed_with: null,
            ...('content' in outcome && { content: outcome.content }),
            ...(outcome.note && { training_note: outcome.note }),
            chunks: outcome.chunks,
          }
        : { trained_at: null, training_failed_with: outcome.failed_with, chunks: 0 };
      const bytes = outcome.bytes === undefined ? {} : { bytes: outcome.bytes };
      const title = 'title' in outcome ? { title: outcome.title } : {};
      const _id = deriveId(build, page_url);
      await c.subPages.updateOne(
        { _id, account },
        [
          { $replaceWith: literal({ _id, account, item, build, page_url, ...fields, ...bytes, ...title }) },
          compute({ [trained ? 'trained_at' : 'training_failed_at']: '$$NOW' }),
        ],
        { upsert: true },
      );
      await keepOrWithdraw(c, job);
    },

    /** The page in the given builds, in their order: what a run compares with and reuses. */
    async recorded(account: string, builds: readonly string[], page_url: string): Promise<SubPageDoc[]> {
      const ids = builds.map((build) => deriveId(build, page_url));
      const found = await c.subPages.find({ _id: { $in: ids }, account }).toArray();
      return found.sort((a, b) => ids.indexOf(a._id) - ids.indexOf(b._id));
    },

    /** The pages that a build has the content of, as their page_url. */
    async *withContent(account: string, build: string): AsyncGenerator<string> {
      const found = c.subPages.find({ account, build, content: { $type: 'object' } }, { projection: { page_url: 1 } });
      for await (const { page_url } of found) yield page_url;
    },

    /** The pages of an item as its latest run found them, by page_url. */
    async page(account: string, item: string, request: PageRequest): Promise<Page<SubPageDoc>> {
      const found = await c.items.findOne(
        { _id: item, account, ...LIVE },
        {
          projection: { 'training.fence': 1, 'training.pages_fence': 1 },
        },
      );
      const build = buildId(item, found ? pagesFence(found) : 0);
      return page(c.subPages, { account, build }, request, BY_URL);
    },
  };
}
