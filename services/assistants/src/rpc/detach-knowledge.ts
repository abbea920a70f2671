import type { AssistantsService } from '@parley/proto/assistants/v1/assistants_service_pb';
import { notFound, type Rpc } from '@parley/runtime';
import type { Parts } from '../parts.ts';
import { kindOf } from './messages.ts';

/** NOT_FOUND for what is not attached. The item itself stays. */
export const detachKnowledge =
  ({ store }: Pick<Parts, 'store'>): Rpc<typeof AssistantsService.method.detachKnowledge> =>
  async ({ kind, assistantId, knowledgeId }, call) => {
    const assistant = await store.assistant(call.account, kindOf(kind), assistantId);
    const item = knowledgeId.toLowerCase();
    if (!(await store.detach(call.account, assistant._id, item, call.operation)))
      throw notFound(`This knowledge item is not attached to the ${assistant.kind}.`);
    return {};
  };
