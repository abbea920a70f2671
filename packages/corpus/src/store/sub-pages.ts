import { deriveId } from '@parley/runtime';
import { compute, LIVE, literal, type Page, type PageRequest, page } from '@parley/runtime/mongo';
import { buildId, pagesFence } from '../model.ts';
import type { SubPageDoc } from '../source-model.ts';
import { keepOrWithdraw } from './builds.ts';
import type { Collections } from './collections.ts';
import type { TrainingJob } from './queue.ts';

/**
 * The outcome of a source: a page's content, or another source's title, with a note if not all of it is searched; or the
 * reason why it has none. `bytes` are those of a page's response, if there was one, or of another source's text. Only
 * sources that are no pages have a `name`.
 */
export type SourceOutcome = Pick<SubPageDoc, 'name' | 'faq_item'> &
  (
    | { content: NonNullable<SubPageDoc['content']>; note?: string | undefined; bytes: number; chunks: number }
    | { title: string; note?: string | undefined; bytes: number; chunks: number }
    | { failed_with: string; title?: string; bytes?: number | undefined }
  );

/** A source by its `page_url`, or by its position among the item's sources, from 0. */
export type RecordedSource = readonly [at: string | number, outcome: SourceOutcome];

/** Enough for any position. */
const DIGITS = 8;

const IN_ORDER = { fields: ['page_url'], direction: 1 } as const;

export type SubPageStore = ReturnType<typeof subPageStore>;

export function subPageStore(c: Collections) {
  /** Records sources of the job's build, replacing any earlier record of them. @throws LeaseLost */
  async function recordAll(job: TrainingJob, sources: readonly RecordedSource[]): Promise<void> {
    const writes = sources.map((source) => ({ updateOne: recording(job, source) }));
    await c.subPages.bulkWrite(writes, { ordered: false });
    await keepOrWithdraw(c, job);
  }

  return {
    recordAll,

    /** The same for one. @throws LeaseLost */
    record: (job: TrainingJob, ...source: RecordedSource): Promise<void> => recordAll(job, [source]),

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

    /** The sources of an item as its latest run found them: pages by page_url, others by position. */
    async page(account: string, item: string, request: PageRequest): Promise<Page<SubPageDoc>> {
      const found = await c.items.findOne(
        { _id: item, account, ...LIVE },
        {
          projection: { 'training.fence': 1, 'training.pages_fence': 1 },
        },
      );
      const build = buildId(item, found ? pagesFence(found) : 0);
      return page(c.subPages, { account, build }, request, { order: IN_ORDER });
    },
  };
}

function recording({ account, item, build }: TrainingJob, [at, outcome]: RecordedSource) {
  const page_url = typeof at === 'number' ? String(at).padStart(DIGITS, '0') : at;
  const _id = deriveId(build, page_url);
  const trained = !('failed_with' in outcome);
  const { name, faq_item, bytes } = outcome;
  const title = 'title' in outcome ? outcome.title : undefined;
  const fields = trained
    ? {
        training_failed_at: null,
        training_failed_with: null,
        ...('content' in outcome && { content: outcome.content }),
        ...(outcome.note && { training_note: outcome.note }),
        chunks: outcome.chunks,
      }
    : { trained_at: null, training_failed_with: outcome.failed_with, chunks: 0 };
  const optional = {
    ...(name !== undefined && { name }),
    ...(faq_item !== undefined && { faq_item }),
    ...(bytes !== undefined && { bytes }),
    ...(title !== undefined && { title }),
  };
  return {
    filter: { _id, account },
    update: [
      { $replaceWith: literal({ _id, account, item, build, page_url, ...optional, ...fields }) },
      compute({ [trained ? 'trained_at' : 'training_failed_at']: '$$NOW' }),
    ],
    upsert: true,
  };
}
