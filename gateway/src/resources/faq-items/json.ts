import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { FaqItem } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { z } from 'zod';
import { faqAnswer } from './answer.ts';

const block = z.object({ id: z.string(), type: z.literal('paragraph'), data: z.object({ text: z.string() }) });

const answer = z
  .object({
    version: z.string(),
    time: z.int().meta({ description: 'When it was created, in milliseconds since 1970.' }),
    blocks: z.array(block).meta({ description: 'One for each paragraph.' }),
  })
  .meta({ id: 'FaqAnswer', description: 'Rich text in the format of Editor.js.' });

const EXAMPLE = {
  id: '01890a5d-ac96-474b-8cce-b302099a8057',
  question: 'When are you open?',
  answer: {
    version: '2.31.0',
    time: 1772357400000,
    blocks: [{ id: 'k3v9x2p1qa', type: 'paragraph', data: { text: 'From nine to five.' } }],
  },
  categories: ['Opening hours'],
};

const content = z.object({
  id: z.string(),
  question: z.string(),
  answer,
  categories: z.array(z.string()),
});
const source = { source_url: z.string().nullable() };
const rating = { rating: z.object({ upvotes: z.int(), downvotes: z.int() }) };

const SOURCE_EXAMPLE = { source_url: 'https://www.example.com/hours' };
const RATING_EXAMPLE = { rating: { upvotes: 0, downvotes: 0 } };

export const listedFaqItem = content
  .extend(source)
  .meta({ id: 'FaqItem', examples: [{ ...EXAMPLE, ...SOURCE_EXAMPLE }] });
export const createdFaqItem = content
  .extend({ ...source, ...rating })
  .meta({ id: 'CreatedFaqItem', examples: [{ ...EXAMPLE, ...SOURCE_EXAMPLE, ...RATING_EXAMPLE }] });
export const deletedFaqItem = content
  .extend(rating)
  .meta({ id: 'DeletedFaqItem', examples: [{ ...EXAMPLE, ...RATING_EXAMPLE }] });

export const listedFaqItemJson = (item: FaqItem): z.input<typeof listedFaqItem> => ({
  ...contentJson(item),
  ...sourceJson(item),
});

export const createdFaqItemJson = (item: FaqItem): z.input<typeof createdFaqItem> => ({
  ...contentJson(item),
  ...sourceJson(item),
  ...ratingJson(item),
});

export const deletedFaqItemJson = (item: FaqItem): z.input<typeof deletedFaqItem> => ({
  ...contentJson(item),
  ...ratingJson(item),
});

const contentJson = ({ id, question, answer, categories, createdAt }: FaqItem): z.input<typeof content> => ({
  id,
  question,
  answer: faqAnswer(id, answer, timestampDate(createdAt!)),
  categories,
});

const sourceJson = ({ sourceUrl }: FaqItem) => ({ source_url: sourceUrl ?? null });

const ratingJson = ({ rating }: FaqItem) => ({
  rating: { upvotes: rating?.upvotes ?? 0, downvotes: rating?.downvotes ?? 0 },
});
