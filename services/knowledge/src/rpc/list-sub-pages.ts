import type { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import type { Rpc } from '@parley/runtime';
import { requireType } from '../domain/type.ts';
import type { Parts } from '../parts.ts';
import { subPageMessage } from './messages.ts';

/** The pages as the latest training found them; empty before the first one. */
export const listSubPages =
  ({ corpus }: Pick<Parts, 'corpus'>): Rpc<typeof KnowledgeService.method.listSubPages> =>
  async ({ knowledgeId, ...request }, call) => {
    requireType(await corpus.items.get(call.account, knowledgeId), 'website');
    const page = await corpus.subPages.page(call.account, knowledgeId, request);
    return { ...page, items: page.items.map(subPageMessage) };
  };
