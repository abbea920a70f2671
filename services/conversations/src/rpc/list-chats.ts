import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import type { Rpc } from '@parley/runtime';
import type { Parts } from '../parts.ts';
import { chatMessage } from './messages.ts';

/** Newest first. A chat is listed moments after its first question is stored, and before that is answered or given up. */
export const listChats =
  ({ chats, turns }: Pick<Parts, 'chats' | 'turns'>): Rpc<typeof ConversationsService.method.listChats> =>
  async ({ chatbotId, createdBefore, createdAfter, limit, nextCursor }, call) => {
    const found = await chats.list(call.account, chatbotId, {
      before: createdBefore && timestampDate(createdBefore),
      after: createdAfter && timestampDate(createdAfter),
      limit,
      nextCursor,
    });
    const said = await turns.lastSaid(
      call.account,
      found.items.map(({ _id }) => _id),
    );
    return { ...found, items: found.items.map((chat) => chatMessage(chat, said.get(chat._id))) };
  };
