import type { AssistantsService } from '@parley/proto/assistants/v1/assistants_service_pb';
import { notFound } from '@parley/runtime';
import type { Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import { KIND_NAMES } from '../store/model.ts';
import { kindOf } from './messages.ts';

/** Operators and the mail service only: whose assistant this is. */
export const resolveAssistant =
  ({ store }: Pick<Dependencies, 'store'>): Rpc<typeof AssistantsService.method.resolveAssistant> =>
  async (request, call) => {
    if (call.caller !== 'mail') call.requireOperator();
    const kind = kindOf(request.kind);
    const found = await store.ownerOf(kind, request.id);
    if (!found) throw notFound(`There is no such ${KIND_NAMES[kind].one}.`);
    return { accountId: found.account, id: found._id };
  };
