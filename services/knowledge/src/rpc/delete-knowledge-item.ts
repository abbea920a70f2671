import type { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import type { Rpc } from '@parley/runtime';
import type { Parts } from '../parts.ts';
import { itemMessage } from './messages.ts';

/** Answers with the item as it was. A training under way can't publish any more, and ends at its next renewal. */
export const deleteKnowledgeItem =
  ({ corpus }: Pick<Parts, 'corpus'>): Rpc<typeof KnowledgeService.method.deleteKnowledgeItem> =>
  async ({ id }, call) => ({ item: itemMessage(await corpus.items.delete(call.account, id, call.operation)) });
