import type { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import { invalidArgument } from '@parley/runtime';
import { isUuid, type Rpc } from '@parley/runtime/rpc';
import { checkOpening } from '../domain/opening.ts';
import type { Parts } from '../parts.ts';
import { kindOf, threadMessage } from './messages.ts';

/** Opens a ticket or an email with its first message. A ticket has no subject. */
export const openThread =
  ({ openings }: Pick<Parts, 'openings'>): Rpc<typeof ConversationsService.method.openThread> =>
  async (request, { account, operation }) => {
    const { assistantId, fromEmail: email, fromName: name, subject, message } = request;
    const kind = kindOf(request.kind);
    if (kind === 'chat') throw invalidArgument('kind must be ticket or email.');
    if (!isUuid(assistantId)) throw invalidArgument('assistant_id must be the id of an assistant.');
    const opening = { kind, email, name, subject, message };
    checkOpening(opening);
    return { thread: threadMessage(await openings.open(account, assistantId, operation, opening)) };
  };
