import type { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { failedPrecondition, type Rpc } from '@parley/runtime';
import type { Parts } from '../parts.ts';
import { itemMessage } from './messages.ts';

export const trainKnowledgeItem =
  ({ corpus }: Pick<Parts, 'corpus'>): Rpc<typeof KnowledgeService.method.trainKnowledgeItem> =>
  async ({ id }, call) => {
    const item = await corpus.items.get(call.account, id);
    if (item.type === 'faq' && (await corpus.faqItems.isEmpty(call.account, id)))
      throw failedPrecondition('This FAQ has no items yet. Add one, then train it.');
    return { item: itemMessage(await corpus.training.request(call.account, id, call.operation)) };
  };
