import type { ConversationsService, OpenThreadRequest } from '@parley/proto/conversations/v1/conversations_service_pb';
import { invalidArgument } from '@parley/runtime';
import { isUuid, type Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import { type Attachments, checkAttachments } from '../domain/mail.ts';
import { checkNewConversation } from '../domain/new-conversation.ts';
import { attachmentId } from '../store/model.ts';
import { kindOf, threadMessage } from './messages.ts';

/** Opens a ticket or an email with its first message. A ticket has no subject. */
export const openThread =
  ({
    pendingCreations,
    threads,
  }: Pick<Dependencies, 'pendingCreations' | 'threads'>): Rpc<typeof ConversationsService.method.openThread> =>
  async (request, { account, operation }) => {
    const { assistantId, fromEmail: email, fromName: name, subject, message } = request;
    const kind = kindOf(request.kind);
    if (kind === 'chat') throw invalidArgument('kind must be ticket or email.');
    if (!isUuid(assistantId)) throw invalidArgument('assistant_id must be the id of an assistant.');
    const attached = attachedOf(operation, request);
    const mailsLink = request.mailsLink && kind === 'ticket';
    const newConversation = { kind, email, name, subject, message, attached, mailsLink };
    checkNewConversation(newConversation);
    const thread = await pendingCreations.open(account, assistantId, operation, newConversation);
    const kept = attached && (await threads.entries.find(thread, operation))?.attached;
    return { thread: threadMessage(thread), attachmentsFolder: kept?.folder ?? '' };
  };

function attachedOf(operation: string, { attachments, attachmentsFolder: folder }: OpenThreadRequest) {
  if (attachments.length === 0) return undefined;
  if (!isUuid(folder)) throw invalidArgument('attachments_folder must be a UUID.');
  const files = attachments.map(({ name, type, size, isInline: is_inline }, i) => ({
    ...{ id: attachmentId(operation, i), name, type, size, is_inline },
  }));
  checkAttachments('attachments', files);
  return { folder, files } satisfies Attachments;
}
