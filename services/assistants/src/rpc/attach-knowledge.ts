import type { AssistantsService } from '@parley/proto/assistants/v1/assistants_service_pb';
import { failedPrecondition, notFound } from '@parley/runtime';
import type { Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import { kindOf } from './messages.ts';

/** Attaches a knowledge item to an assistant. Idempotent. FAILED_PRECONDITION while the item has no live build. */
export const attachKnowledge =
  ({
    store,
    knowledge,
  }: Pick<Dependencies, 'store' | 'knowledge'>): Rpc<typeof AssistantsService.method.attachKnowledge> =>
  async ({ kind, assistantId, knowledgeId }, call) => {
    const assistant = await store.assistant(call.account, kindOf(kind), assistantId);
    const { item } = await knowledge.getKnowledgeItem({ id: knowledgeId }, call.onward());
    if (!item?.liveSince) throw failedPrecondition('This knowledge item has not been trained yet. Train it first.');
    await store.attach(call.account, assistant._id, item.id);
    // The item may have been deleted after it was read, and its event handled before the attachment was stored.
    if (await store.isDeleted(call.account, item.id)) {
      await store.detach(call.account, assistant._id, item.id, call.operation);
      throw notFound('This knowledge item has been deleted.');
    }
    return {};
  };
