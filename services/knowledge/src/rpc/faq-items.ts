import type { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import type { Rpc } from '@parley/runtime/rpc';
import { requiredText } from '@parley/runtime/text';
import type { Dependencies } from '../dependencies.ts';
import { sourceAddress } from '../domain/address.ts';
import { distinctCategories } from '../domain/categories.ts';
import { requireType } from '../domain/type.ts';
import { faqItemMessage } from './messages.ts';

const MAX_QUESTION = 1_000;
const MAX_ANSWER = 50_000;

/** Search finds it after the next training. Idempotent by operation. */
export const createFaqItem =
  ({ corpus }: Pick<Dependencies, 'corpus'>): Rpc<typeof KnowledgeService.method.createFaqItem> =>
  async ({ knowledgeId, question, answer, sourceUrl, categories }, call) => {
    const item = {
      question: requiredText('question', question, MAX_QUESTION),
      answer: requiredText('answer', answer, MAX_ANSWER),
      source_url: sourceUrl === undefined ? null : sourceAddress('source_url', sourceUrl),
      categories: distinctCategories(categories),
    };
    requireType(await corpus.items.get(call.account, knowledgeId), 'faq');
    return { item: faqItemMessage(await corpus.faqItems.create(call.account, knowledgeId, call.operation, item)) };
  };

export const listFaqItems =
  ({ corpus }: Pick<Dependencies, 'corpus'>): Rpc<typeof KnowledgeService.method.listFaqItems> =>
  async ({ knowledgeId, ...request }, call) => {
    requireType(await corpus.items.get(call.account, knowledgeId), 'faq');
    const page = await corpus.faqItems.page(call.account, knowledgeId, request);
    return { ...page, items: page.items.map(faqItemMessage) };
  };

/** Search finds it until the next training. Idempotent by operation. */
export const deleteFaqItem =
  ({ corpus }: Pick<Dependencies, 'corpus'>): Rpc<typeof KnowledgeService.method.deleteFaqItem> =>
  async ({ knowledgeId, id }, call) => {
    requireType(await corpus.items.get(call.account, knowledgeId), 'faq');
    return { item: faqItemMessage(await corpus.faqItems.delete(call.account, knowledgeId, id, call.operation)) };
  };
