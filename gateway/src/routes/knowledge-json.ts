import { type KnowledgeItem, KnowledgeType, type SubPage } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { z } from 'zod';
import { isoOrNull, timestamp } from '../fields/dates.ts';

const TYPES = ['website', 'video', 'document', 'faq'] as const;

/** What creating and deleting give: the item's id, its type and what is of that type only. */
export const knowledgeIdentity = z.object({
  id: z.string(),
  type: z.enum(TYPES),
  base_url: z.string().optional().meta({ description: 'Websites: the address of the site.' }),
  title: z.string().optional().meta({ description: 'FAQs.' }),
  description: z.string().nullable().optional().meta({ description: 'FAQs.' }),
});

const progress = z
  .object({
    state: z.enum(['queued', 'running']),
    sources_found: z.int().meta({ description: 'Pages of a website, or items of an FAQ.' }),
    sources_done: z.int(),
    chunks: z.int(),
  })
  .meta({ description: 'While a training is queued or runs.', 'x-parley-extension': true });

const training = {
  trained_at: timestamp.nullable(),
  training_failed_at: timestamp.nullable(),
  training_failed_with: z.string().nullable(),
};

export const knowledgeItem = knowledgeIdentity.extend({
  is_training: z.boolean(),
  ...training,
  live_since: timestamp.nullable().meta({
    description: 'When the training whose result answers now was completed; null while there is none.',
    'x-parley-extension': true,
  }),
  training: progress.optional(),
});

export const subPage = z.object({
  page_url: z.string().meta({ description: 'Path and query, relative to the site.' }),
  ...training,
});

export function knowledgeIdentityJson({ id, type, details }: KnowledgeItem): z.input<typeof knowledgeIdentity> {
  const common = { id, type: typeJson(type) };
  switch (details.case) {
    case 'website':
      return { ...common, base_url: details.value.baseUrl };
    case 'faq':
      return { ...common, title: details.value.title, description: details.value.description ?? null };
    case undefined:
      return common;
  }
}

export const knowledgeItemJson = (item: KnowledgeItem): z.input<typeof knowledgeItem> => ({
  ...knowledgeIdentityJson(item),
  is_training: item.isTraining,
  ...trainingJson(item),
  live_since: isoOrNull(item.liveSince),
  ...(item.training && {
    training: {
      state: item.training.queued ? 'queued' : 'running',
      sources_found: item.training.sourcesFound,
      sources_done: item.training.sourcesDone,
      chunks: item.training.chunks,
    },
  }),
});

export const subPageJson = (page: SubPage): z.input<typeof subPage> => ({
  page_url: page.pageUrl,
  ...trainingJson(page),
});

const trainingJson = (of: Pick<SubPage, 'trainedAt' | 'trainingFailedAt' | 'trainingFailedWith'>) => ({
  trained_at: isoOrNull(of.trainedAt),
  training_failed_at: isoOrNull(of.trainingFailedAt),
  training_failed_with: of.trainingFailedWith ?? null,
});

function typeJson(type: KnowledgeType): (typeof TYPES)[number] {
  switch (type) {
    case KnowledgeType.WEBSITE:
      return 'website';
    case KnowledgeType.VIDEO:
      return 'video';
    case KnowledgeType.DOCUMENT:
      return 'document';
    case KnowledgeType.FAQ:
      return 'faq';
    default:
      throw new Error(`a knowledge item of type ${type}`);
  }
}
