import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type {
  EndedTraining,
  FaqItemDoc,
  KnowledgeType as ItemType,
  KnowledgeItemDoc,
  SubPageDoc,
} from '@parley/corpus';
import {
  type FaqItemSchema,
  type KnowledgeItemSchema,
  KnowledgeType,
  type SourceSchema,
  SourceType,
  type SubPageSchema,
  SubPageState,
} from '@parley/proto/knowledge/v1/knowledge_service_pb';

type ItemMessage = MessageInitShape<typeof KnowledgeItemSchema>;

const timestamp = (date: Date | null | undefined) => (date ? timestampFromDate(date) : undefined);

export function itemMessage(item: KnowledgeItemDoc): ItemMessage {
  const isTraining = item.training.state === 'queued' || item.training.state === 'running';
  return {
    id: item._id,
    trainedAt: timestamp(item.trained_at),
    isTraining,
    trainingFailedAt: timestamp(item.training_failed_at),
    trainingFailedWith: item.training_failed_with ?? undefined,
    trainingNotes: item.training_notes ?? [],
    liveSince: timestamp(item.live?.trained_at),
    training: isTraining ? progressMessage(item) : undefined,
    lastTraining: item.last_training && endedMessage(item.last_training),
    ...typeMessage(item),
  };
}

const progressMessage = ({ training: { state, progress } }: KnowledgeItemDoc) => ({
  queued: state === 'queued',
  sourcesFound: progress.sources_found,
  sourcesDone: progress.sources_done,
  chunks: progress.chunks,
});

const endedMessage = ({ started_at, ended_at, ...usage }: EndedTraining) => ({
  startedAt: timestampFromDate(started_at),
  endedAt: timestampFromDate(ended_at),
  ...usage,
});

/** Returns what differs by type. Exhaustive: a type without its case does not compile. */
function typeMessage(item: KnowledgeItemDoc): { type: KnowledgeType; details: NonNullable<ItemMessage['details']> } {
  switch (item.type) {
    case 'website': {
      const { base_url: baseUrl, include = [], exclude = [], retrain_every } = item.website;
      const value = { baseUrl, include, exclude, retrainEvery: retrain_every ?? undefined };
      return { type: KnowledgeType.WEBSITE, details: { case: 'website', value } };
    }
    case 'faq': {
      const { title, description } = item.faq;
      const value = { title, description: description ?? undefined };
      return { type: KnowledgeType.FAQ, details: { case: 'faq', value } };
    }
    case 'video': {
      const { video_id: videoId, video_url: videoUrl, title, language, transcript } = item.video;
      const settings = {
        title: title ?? undefined,
        language: language ?? undefined,
        transcriptBytes: transcript?.bytes,
      };
      const value = { videoId, videoUrl, ...settings };
      return { type: KnowledgeType.VIDEO, details: { case: 'video', value } };
    }
    case 'document': {
      const { file_type: fileType, file_name, finalized_at } = item.document;
      const value = { fileType, fileName: file_name ?? undefined, finalized: finalized_at !== null };
      return { type: KnowledgeType.DOCUMENT, details: { case: 'document', value } };
    }
  }
}

export const subPageMessage = (page: SubPageDoc): MessageInitShape<typeof SubPageSchema> => ({
  ...outcomeMessage(page),
  pageUrl: page.page_url,
  trainingFailedWith: page.training_failed_with ?? undefined,
  trainingNote: page.training_note,
});

const SOURCE_TYPES: Record<ItemType, SourceType> = {
  website: SourceType.PAGE,
  document: SourceType.PART,
  video: SourceType.TRANSCRIPT,
  faq: SourceType.FAQ_ITEM,
};

/** @param of the type of its item. */
export const sourceMessage = (of: ItemType, source: SubPageDoc): MessageInitShape<typeof SourceSchema> => ({
  ...outcomeMessage(source),
  type: SOURCE_TYPES[of],
  name: source.name ?? source.page_url,
  faqItemId: source.faq_item,
});

/** Returns what pages and other sources have in common. */
const outcomeMessage = (source: SubPageDoc) => ({
  trainedAt: timestamp(source.trained_at),
  trainingFailedAt: timestamp(source.training_failed_at),
  state: source.trained_at ? SubPageState.TRAINED : SubPageState.FAILED,
  reason: source.training_failed_with ?? source.training_note,
  bytes: source.bytes,
  chunks: source.chunks ?? 0,
  title: source.title ?? source.content?.title,
  kept: source.content?.kept,
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
