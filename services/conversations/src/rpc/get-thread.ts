import type { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import type { Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import { chatMessage, conversation, refOf, threadConversation, threadMessage } from './messages.ts';

type Reading = Pick<Dependencies, 'threads'>;

/** A chat with all its messages. */
export const getChat =
  ({ threads }: Reading): Rpc<typeof ConversationsService.method.getChat> =>
  async ({ chatbotId: assistant, id }, { account }) => {
    const chat = await threads.find({ account, kind: 'chat', assistant, id });
    return { chat: chatMessage(chat), conversation: conversation(await threads.entries.of(chat, { said: true })) };
  };

/** A ticket or an email with all its messages. */
export const getThread =
  ({ threads, mails }: Reading & Pick<Dependencies, 'mails'>): Rpc<typeof ConversationsService.method.getThread> =>
  async ({ thread: ref, quoted }, { account }) => {
    const thread = await threads.find(refOf(account, ref));
    const said = await threads.entries.of(thread, { said: true });
    const isMailed = said.some(({ mailed }) => mailed);
    const deliveries = isMailed ? await mails.deliveriesOf(account, thread._id) : new Map();
    return { thread: threadMessage(thread), conversation: threadConversation(said, deliveries, quoted) };
  };
