import { type SubPage, SubPageState } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { z } from 'zod';
import { TRAINED, training, trainingJson } from './training-json.ts';

/** The outcome of a training for a page, or for another source. */
export const outcome = {
  state: z.enum(['trained', 'failed']).meta({ 'x-parley-extension': true }),
  reason: z.string().nullable().meta({
    description:
      'Why it failed; or else why part of it is not searched, or why a page keeps what an earlier training read; null if there is nothing to say.',
    'x-parley-extension': true,
  }),
  bytes: z.int().nullable().meta({
    description: "Of a page's response, or of the text of anything else; null if it was not read.",
    'x-parley-extension': true,
  }),
  chunks: z.int().meta({ description: 'The passages that search can find.', 'x-parley-extension': true }),
  title: z.string().nullable().meta({ description: 'Null on pages that failed.', 'x-parley-extension': true }),
  kept: z.number().nullable().meta({
    description:
      'The share of the visible text of a page that is trained, from 0 to 1; menus, lists of links and the like are left out. Null on pages that failed, or until the page is trained again.',
    'x-parley-extension': true,
  }),
};

export const outcomeJson = (of: Pick<SubPage, 'state' | 'reason' | 'bytes' | 'chunks' | 'title' | 'kept'>) => ({
  state: of.state === SubPageState.TRAINED ? ('trained' as const) : ('failed' as const),
  reason: of.reason ?? null,
  bytes: of.bytes ?? null,
  chunks: of.chunks,
  title: of.title ?? null,
  kept: of.kept ?? null,
});

const subPageFields = z.object({
  page_url: z.string().meta({
    description:
      'Path and query, relative to the site; the query is sorted, without parameters that track visitors or name their session. Pages of a site may be HTML, plain text, Markdown or PDF. Pages that robots.txt refuses, that ask not to be indexed or that are copies of others are not listed.',
  }),
  ...training,
  training_note: z.string().nullable().meta({
    description:
      'Why part of a trained page is not searched, or why it keeps what an earlier training read; null otherwise.',
    'x-parley-extension': true,
  }),
  ...outcome,
});

export const subPage = subPageFields.meta({
  id: 'SubPage',
  examples: [
    {
      page_url: '/hours',
      ...TRAINED,
      training_note: null,
      state: 'trained',
      reason: null,
      bytes: 48_213,
      chunks: 5,
      title: 'Opening hours',
      kept: 0.87,
    },
  ],
});

export const subPageJson = (page: SubPage): z.input<typeof subPage> => ({
  page_url: page.pageUrl,
  ...trainingJson(page),
  training_note: page.trainingNote ?? null,
  ...outcomeJson(page),
});
