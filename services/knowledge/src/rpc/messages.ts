import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { FaqItemDoc, Hit, KnowledgeItemDoc, SubPageDoc } from '@parley/corpus';
import {
  type FaqItemSchema,
  type KnowledgeItemSchema,
  KnowledgeType,
  type PassageSchema,
  type SubPageSchema,
} from '@parley/proto/knowledge/v1/knowledge_service_pb';

const TYPES = { website: KnowledgeType.WEBSITE, faq: KnowledgeType.FAQ };

const timestamp = (date: Date | null | undefined) => (date ? timestampFromDate(date) : undefined);

export function itemMessage(item: KnowledgeItemDoc): MessageInitShape<typeof KnowledgeItemSchema> {
  const isTraining = item.training.state !== 'idle';
  return {
    id: item._id,
    type: TYPES[item.type],
    createdAt: timestampFromDate(item.created_at),
    trainedAt: timestamp(item.trained_at),
    isTraining,
    trainingFailedAt: timestamp(item.training_failed_at),
    trainingFailedWith: item.training_failed_with ?? undefined,
    liveSince: timestamp(item.live?.trained_at),
    training: isTraining ? progressMessage(item) : undefined,
    details: detailsMessage(item),
  };
}

const progressMessage = ({ training: { state, progress } }: KnowledgeItemDoc) => ({
  queued: state === 'queued',
  sourcesFound: progress.sources_found,
  sourcesDone: progress.sources_done,
  chunks: progress.chunks,
});

function detailsMessage({ website, faq }: KnowledgeItemDoc): MessageInitShape<typeof KnowledgeItemSchema>['details'] {
  if (website) return { case: 'website', value: { baseUrl: website.base_url } };
  if (faq) return { case: 'faq', value: { title: faq.title, description: faq.description ?? undefined } };
  return undefined;
}

export const subPageMessage = (page: SubPageDoc): MessageInitShape<typeof SubPageSchema> => ({
  pageUrl: page.page_url,
  trainedAt: timestamp(page.trained_at),
  trainingFailedAt: timestamp(page.training_failed_at),
  trainingFailedWith: page.training_failed_with ?? undefined,
});

export const faqItemMessage = (item: FaqItemDoc): MessageInitShape<typeof FaqItemSchema> => ({
  id: item._id,
  question: item.question,
  answer: item.answer,
  sourceUrl: item.source_url ?? undefined,
  categories: item.categories,
  rating: item.rating,
  createdAt: timestampFromDate(item.created_at),
});

export const passageMessage = ({ chunkId, ...hit }: Hit): MessageInitShape<typeof PassageSchema> => ({
  ...hit,
  id: chunkId,
});
