import type { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import type { Rpc } from '@parley/runtime';
import { requireType } from '../domain/type.ts';
import type { Parts } from '../parts.ts';
import { faqItemMessage } from './messages.ts';

/** Search finds it until the next training. */
export const deleteFaqItem =
  ({ corpus }: Pick<Parts, 'corpus'>): Rpc<typeof KnowledgeService.method.deleteFaqItem> =>
  async ({ knowledgeId, id }, call) => {
    requireType(await corpus.items.get(call.account, knowledgeId), 'faq');
    return { item: faqItemMessage(await corpus.faqItems.delete(call.account, knowledgeId, id, call.operation)) };
  };
