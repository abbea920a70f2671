import { list, route } from '../route.ts';
import { CHATBOT } from './assistant-kinds.ts';
import { chat, chatJson, listedChat, listedChatJson } from './chat-json.ts';
import { CHAT, oneThread } from './thread-kinds.ts';
import { createdBetween, createdBetweenTimestamps, threadRoutes } from './threads.ts';

export const listChats = list({
  path: CHAT.listPath,
  summary: 'List the chats of a chatbot, newest first',
  restricted: CHAT.scopes.read,
  params: CHATBOT.params,
  filter: createdBetween,
  item: listedChat,
  toJson: listedChatJson,
  call: async ({ params, filter, page }, context) =>
    context.conversations.listChats({
      chatbotId: await CHATBOT.internalId(params.id, context),
      ...createdBetweenTimestamps(filter),
      ...page,
    }),
});

const { path, params, idOf } = oneThread(CHAT);

export const getChat = route({
  method: 'GET',
  path,
  summary: 'Read a chat and its conversation',
  restricted: CHAT.scopes.read,
  params,
  response: chat,
  call: async ({ params }, context) =>
    context.conversations.getChat({ chatbotId: await CHATBOT.internalId(params.id, context), id: idOf(params) }),
  toJson: chatJson,
});

export const { block: blockChat, unblock: unblockChat, listEvidence: listChatEvidence } = threadRoutes(CHAT);
