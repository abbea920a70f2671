import type { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import type { Rpc } from '@parley/runtime';
import type { Parts } from '../parts.ts';
import { itemMessage } from './messages.ts';

export const getKnowledgeItem =
  ({ corpus }: Pick<Parts, 'corpus'>): Rpc<typeof KnowledgeService.method.getKnowledgeItem> =>
  async ({ id }, call) => ({ item: itemMessage(await corpus.items.get(call.account, id)) });
