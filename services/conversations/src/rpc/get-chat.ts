import type { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import type { Rpc } from '@parley/runtime';
import { conversation } from '../domain/conversation.ts';
import type { Parts } from '../parts.ts';
import { chatMessage } from './messages.ts';

/** A chat with all that was said in it. */
export const getChat =
  ({ chats, turns }: Pick<Parts, 'chats' | 'turns'>): Rpc<typeof ConversationsService.method.getChat> =>
  async ({ chatbotId, id }, call) => {
    const chat = await chats.chat(call.account, chatbotId, id);
    return { chat: chatMessage(chat), conversation: conversation(await turns.of(call.account, chat._id)) };
  };
