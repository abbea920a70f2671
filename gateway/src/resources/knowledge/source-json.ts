import { type Source, SourceType } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { z } from 'zod';
import { isoOrNull } from '../../fields/dates.ts';
import { outcome, outcomeJson } from './sub-page-json.ts';
import { TRAINED, training } from './training-json.ts';

type KnownType = Exclude<(typeof SourceType)[keyof typeof SourceType], typeof SourceType.UNSPECIFIED>;

/** Exhaustive: a type without its name does not compile. */
const TYPES = {
  [SourceType.PAGE]: 'page',
  [SourceType.PART]: 'part',
  [SourceType.TRANSCRIPT]: 'transcript',
  [SourceType.FAQ_ITEM]: 'faq_item',
} as const satisfies Record<KnownType, string>;

const sourceFields = z.object({
  type: z.enum(Object.values(TYPES)).meta({
    description: 'Websites have pages, documents parts, videos a transcript, FAQs items.',
  }),
  name: z.string().meta({
    description:
      'The `page_url` of a page; where in its document a part is, such as `page 12`; what kind of transcript it is, and its language; the question of an FAQ item.',
  }),
  faq_item_id: z
    .string()
    .nullable()
    .meta({ description: 'Of an FAQ item, which may have been deleted since; null otherwise.' }),
  ...outcome,
  trained_at: training.trained_at,
  training_failed_at: training.training_failed_at,
});

export const source = sourceFields.meta({
  id: 'KnowledgeSource',
  description: 'Something that a knowledge item was trained from, as the latest training found it.',
  examples: [
    {
      type: 'part',
      name: 'page 12',
      faq_item_id: null,
      state: 'trained',
      reason: null,
      bytes: 2_318,
      chunks: 3,
      title: 'handbook.pdf, page 12',
      kept: null,
      trained_at: TRAINED.trained_at,
      training_failed_at: null,
    },
  ],
});

export const sourceJson = (of: Source): z.input<typeof source> => ({
  type: typeJson(of.type),
  name: of.name,
  faq_item_id: of.faqItemId ?? null,
  ...outcomeJson(of),
  trained_at: isoOrNull(of.trainedAt),
  training_failed_at: isoOrNull(of.trainingFailedAt),
});

function typeJson(type: SourceType): (typeof TYPES)[KnownType] {
  const name = TYPES[type as KnownType];
  if (!name) throw new Error(`unknown source type ${type}`);
  return name;
}
