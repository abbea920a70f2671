import { AssistantKind } from '@parley/proto/assistants/v1/assistants_service_pb';
import { notFound } from '@parley/runtime';
import { z } from 'zod';
import { assistantId, uuid } from '../fields/ids.ts';
import { optional, requiredText } from '../fields/text.ts';
import { list, route } from '../route.ts';
import { chatbot, chatbotJson, reply, replyJson } from './chatbot-json.ts';
import { knowledgeItem, knowledgeItemJson } from './knowledge-json.ts';

const kind = AssistantKind.CHATBOT;
const params = z.object({ id: assistantId });

export const createChatbot = route({
  method: 'POST',
  path: '/chatbots',
  summary: 'Create a chatbot',
  scope: 'CHATBOTS_WRITE',
  extension: true,
  body: z.object({ title: requiredText(200), allowed_domains: optional(z.array(requiredText(261)).max(100)) }),
  response: chatbot,
  call: async ({ body }, { assistants }) => {
    const made = await assistants.createChatbot({ title: body.title, allowedDomains: body.allowed_domains });
    return chatbotJson(made.chatbot!);
  },
});

export const listChatbots = route({
  method: 'GET',
  path: '/chatbots',
  summary: 'List all chatbots, newest first',
  response: z.array(chatbot),
  call: async (_, { assistants }) => {
    const { chatbots } = await assistants.listChatbots({});
    return chatbots.map(chatbotJson);
  },
});

export const getChatbot = route({
  method: 'GET',
  path: '/chatbot/:id',
  summary: 'Read a chatbot',
  params,
  response: chatbot,
  call: async ({ params }, { assistants }) => {
    const found = await assistants.getChatbot(params);
    return chatbotJson(found.chatbot!);
  },
});

export const attachKnowledge = route({
  method: 'PUT',
  path: '/chatbot/:id/knowledge',
  summary: 'Attach a trained knowledge item',
  params,
  body: z.object({ knowledge_id: uuid }),
  call: ({ params, body }, { assistants }) =>
    assistants.attachKnowledge({ kind, assistantId: params.id, knowledgeId: body.knowledge_id }),
});

export const detachKnowledge = route({
  method: 'DELETE',
  path: '/chatbot/:id/knowledge',
  summary: 'Detach a knowledge item; the item itself stays',
  params,
  body: z.object({ knowledge_id: uuid }),
  call: ({ params, body }, { assistants }) =>
    assistants.detachKnowledge({ kind, assistantId: params.id, knowledgeId: body.knowledge_id }),
});

export const listAttachedKnowledge = list({
  path: '/chatbot/:id/knowledge',
  summary: 'List the attached knowledge items, last attached first',
  params,
  item: knowledgeItem,
  toJson: knowledgeItemJson,
  call: ({ params, page }, { assistants }) =>
    assistants.listAttachedKnowledge({ kind, assistantId: params.id, ...page }),
});

export const replyOfChatbot = route({
  method: 'POST',
  path: '/chatbot/:id/reply',
  summary: 'Ask a chatbot, and get its reply',
  params,
  body: z.object({
    message: requiredText(10_000),
    session_id: optional(z.string()).meta({ description: 'Of an earlier reply, to continue that conversation.' }),
  }),
  response: reply,
  timeout: 'replyMs',
  call: async ({ params, body }, { assistants }) => {
    if (body.session_id === '') {
      // To the service no session means a new one; what a client sends is a session that does not exist.
      await assistants.getChatbot(params);
      throw notFound('There is no such session.');
    }
    const { message, session_id: sessionId } = body;
    return replyJson(await assistants.reply({ kind, assistantId: params.id, sessionId, message }));
  },
});
