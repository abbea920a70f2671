import type { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import type { Rpc } from '@parley/runtime';
import { conversation } from '../domain/conversation.ts';
import type { Parts } from '../parts.ts';
import type { TurnDoc } from '../store/model.ts';
import { chatMessage } from './messages.ts';

/** A chat with all that was said in it. */
export const getChat =
  ({ chats, turns }: Pick<Parts, 'chats' | 'turns'>): Rpc<typeof ConversationsService.method.getChat> =>
  async ({ chatbotId, id }, call) => {
    const chat = await chats.chat(call.account, chatbotId, id);
    const said = await turns.of(call.account, chat._id);
    return { chat: chatMessage(chat, lastOf(said)), conversation: conversation(said) };
  };

/** An earlier question may have been answered last. */
const lastOf = (turns: readonly TurnDoc[]): Date =>
  new Date(Math.max(...turns.map((turn) => turn.updated_at.getTime())));
