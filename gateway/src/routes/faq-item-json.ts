import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { FaqItem } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { z } from 'zod';
import { faqAnswer } from './faq-answer.ts';

const block = z.object({ id: z.string(), type: z.literal('paragraph'), data: z.object({ text: z.string() }) });

const content = z.object({
  id: z.string(),
  question: z.string(),
  answer: z.object({ version: z.string(), time: z.int(), blocks: z.array(block) }),
  categories: z.array(z.string()),
});
const source = { source_url: z.string().nullable() };
const rating = { rating: z.object({ upvotes: z.int(), downvotes: z.int() }) };

export const listedFaqItem = content.extend(source);
export const createdFaqItem = content.extend({ ...source, ...rating });
export const deletedFaqItem = content.extend(rating);

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
