import { z } from 'zod';
import { dateParameter, toTimestamp } from '../fields/dates.ts';
import { assistantId, uuid } from '../fields/ids.ts';
import { list, type RouteContext, route } from '../route.ts';
import { chat, chatJson, listedChat, listedChatJson } from './chat-json.ts';

/** The chatbot's internal id; NOT_FOUND or PERMISSION_DENIED where the account has no such chatbot. */
async function internalId(id: string, { assistants }: RouteContext): Promise<string> {
  const { chatbot } = await assistants.getChatbot({ id });
  return chatbot!.id;
}

export const listChats = list({
  path: '/chatbot/:id/chats',
  summary: 'List the chats of a chatbot, newest first',
  params: z.object({ id: assistantId }),
  filter: z.object({ created_before: dateParameter, created_after: dateParameter }),
  item: listedChat,
  toJson: listedChatJson,
  call: async ({ params, filter, page }, context) =>
    context.conversations.listChats({
      chatbotId: await internalId(params.id, context),
      createdBefore: toTimestamp(filter.created_before),
      createdAfter: toTimestamp(filter.created_after),
      ...page,
    }),
});

export const getChat = route({
  method: 'GET',
  path: '/chatbot/:id/chats/:chat_id',
  summary: 'Read a chat and its conversation',
  params: z.object({ id: assistantId, chat_id: uuid }),
  response: chat,
  call: async ({ params }, context) => {
    const chatbotId = await internalId(params.id, context);
    return chatJson(await context.conversations.getChat({ chatbotId, id: params.chat_id }));
  },
});
