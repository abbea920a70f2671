import type { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import type { Rpc } from '@parley/runtime';
import type { Parts } from '../parts.ts';
import { itemMessage } from './messages.ts';

export const listKnowledgeItems =
  ({ corpus }: Pick<Parts, 'corpus'>): Rpc<typeof KnowledgeService.method.listKnowledgeItems> =>
  async (request, call) => {
    const page = await corpus.items.page(call.account, request);
    return { ...page, items: page.items.map(itemMessage) };
  };
