import type { KnowledgeItemDoc, KnowledgeType } from '@parley/corpus/model';
import { failedPrecondition } from '@parley/runtime';

const NAMES: Record<KnowledgeType, string> = {
  website: 'a website',
  faq: 'an FAQ',
  video: 'a video',
  document: 'a document',
};

/** @throws AppError `failed_precondition` that names both types. */
export function requireType<T extends KnowledgeType>(
  item: KnowledgeItemDoc,
  type: T,
): asserts item is Extract<KnowledgeItemDoc, { type: T }> {
  if (item.type === type) return;
  throw failedPrecondition(`This knowledge item is ${NAMES[item.type]}, but the operation is for ${NAMES[type]}.`);
}
