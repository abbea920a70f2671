import type { AssistantsService } from '@parley/proto/assistants/v1/assistants_service_pb';
import type { Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import { pageOfAttached } from '../domain/attached.ts';
import { kindOf } from './messages.ts';

/** Most recently attached first. Items that no longer exist are neither listed nor counted. */
export const listAttachedKnowledge =
  ({
    store,
    knowledge,
  }: Pick<Dependencies, 'store' | 'knowledge'>): Rpc<typeof AssistantsService.method.listAttachedKnowledge> =>
  async ({ kind, assistantId, limit, nextCursor }, call) => {
    const assistant = await store.assistant(call.account, kindOf(kind), assistantId);
    const ids = assistant.knowledge.map(({ item }) => item);
    const { items } = ids.length > 0 ? await knowledge.batchGetKnowledgeItems({ ids }, call.onward()) : { items: [] };
    const byId = new Map(items.map((item) => [item.id, item]));
    const page = pageOfAttached(
      assistant.knowledge.filter(({ item }) => byId.has(item)),
      { limit, nextCursor },
    );
    return { ...page, items: page.items.map(({ item }) => byId.get(item)!) };
  };
