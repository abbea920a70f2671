import type { AssistantsService } from '@parley/proto/assistants/v1/assistants_service_pb';
import { notFound } from '@parley/runtime';
import type { Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import { KIND_NAMES } from '../store/model.ts';
import { kindOf } from './messages.ts';

/** Detaches a knowledge item, which itself stays. NOT_FOUND if it is not attached. */
export const detachKnowledge =
  ({ store }: Pick<Dependencies, 'store'>): Rpc<typeof AssistantsService.method.detachKnowledge> =>
  async ({ kind, assistantId, knowledgeId }, call) => {
    const assistant = await store.assistant(call.account, kindOf(kind), assistantId);
    const item = knowledgeId.toLowerCase();
    if (!(await store.detach(call.account, assistant._id, item, call.operation)))
      throw notFound(`This knowledge item is not attached to the ${KIND_NAMES[assistant.kind].one}.`);
    return {};
  };
