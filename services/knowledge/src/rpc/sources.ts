import type { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import type { Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import { requireType } from '../domain/type.ts';
import { sourceMessage, subPageMessage } from './messages.ts';

/** The pages as the latest training found them; none before the first training. */
export const listSubPages =
  ({ corpus }: Pick<Dependencies, 'corpus'>): Rpc<typeof KnowledgeService.method.listSubPages> =>
  async ({ knowledgeId, ...request }, call) => {
    requireType(await corpus.items.get(call.account, knowledgeId), 'website');
    const page = await corpus.subPages.page(call.account, knowledgeId, request);
    return { ...page, items: page.items.map(subPageMessage) };
  };

/** Returns what the latest training of an item read, as far as it has got; nothing before the first training. */
export const listSources =
  ({ corpus }: Pick<Dependencies, 'corpus'>): Rpc<typeof KnowledgeService.method.listSources> =>
  async ({ knowledgeId, ...request }, call) => {
    const { type } = await corpus.items.get(call.account, knowledgeId);
    const page = await corpus.subPages.page(call.account, knowledgeId, request);
    return { ...page, items: page.items.map((source) => sourceMessage(type, source)) };
  };
