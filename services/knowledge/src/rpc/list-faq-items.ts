import type { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import type { Rpc } from '@parley/runtime';
import { requireType } from '../domain/type.ts';
import type { Parts } from '../parts.ts';
import { faqItemMessage } from './messages.ts';

export const listFaqItems =
  ({ corpus }: Pick<Parts, 'corpus'>): Rpc<typeof KnowledgeService.method.listFaqItems> =>
  async ({ knowledgeId, ...request }, call) => {
    requireType(await corpus.items.get(call.account, knowledgeId), 'faq');
    const page = await corpus.faqItems.page(call.account, knowledgeId, request);
    return { ...page, items: page.items.map(faqItemMessage) };
  };
