import type { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import type { Rpc } from '@parley/runtime/rpc';
import type { Parts } from '../parts.ts';
import { chatMessage, conversation, refOf, threadMessage } from './messages.ts';

type Reading = Pick<Parts, 'threads'>;

/** A chat with all its messages. */
export const getChat =
  ({ threads }: Reading): Rpc<typeof ConversationsService.method.getChat> =>
  async ({ chatbotId: assistant, id }, { account }) => {
    const chat = await threads.find({ account, kind: 'chat', assistant, id });
    return { chat: chatMessage(chat), conversation: conversation(await threads.entries.of(chat, { said: true })) };
  };

/** A ticket or an email with all its messages. */
export const getThread =
  ({ threads }: Reading): Rpc<typeof ConversationsService.method.getThread> =>
  async ({ thread: ref }, { account }) => {
    const thread = await threads.find(refOf(account, ref));
    return {
      thread: threadMessage(thread),
      conversation: conversation(await threads.entries.of(thread, { said: true })),
    };
  };
