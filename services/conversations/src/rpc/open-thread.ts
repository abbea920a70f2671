import type { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import { invalidArgument } from '@parley/runtime';
import { isUuid, type Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import { checkNewConversation } from '../domain/new-conversation.ts';
import { kindOf, threadMessage } from './messages.ts';

/** Opens a ticket or an email with its first message. A ticket has no subject. */
export const openThread =
  ({ pendingCreations }: Pick<Dependencies, 'pendingCreations'>): Rpc<typeof ConversationsService.method.openThread> =>
  async (request, { account, operation }) => {
    const { assistantId, fromEmail: email, fromName: name, subject, message } = request;
    const kind = kindOf(request.kind);
    if (kind === 'chat') throw invalidArgument('kind must be ticket or email.');
    if (!isUuid(assistantId)) throw invalidArgument('assistant_id must be the id of an assistant.');
    const newConversation = { kind, email, name, subject, message };
    checkNewConversation(newConversation);
    return { thread: threadMessage(await pendingCreations.open(account, assistantId, operation, newConversation)) };
  };
