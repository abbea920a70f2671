import type { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import type { Rpc } from '@parley/runtime';
import { checkIds } from '../domain/ids.ts';
import type { Parts } from '../parts.ts';
import { itemMessage } from './messages.ts';

/** Those that the account has, each once; the others are left out. */
export const batchGetKnowledgeItems =
  ({ corpus }: Pick<Parts, 'corpus'>): Rpc<typeof KnowledgeService.method.batchGetKnowledgeItems> =>
  async ({ ids }, call) => {
    const items = await corpus.items.batch(call.account, checkIds('ids', ids));
    return { items: items.map(itemMessage) };
  };
