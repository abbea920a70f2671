import { notFound } from '@parley/runtime';
import { z } from 'zod';
import { ASSISTANT_LIMITS_TEXT, allowedDomains, replacedList, title } from '../../fields/assistants.ts';
import { optional, requiredText } from '../../fields/text.ts';
import { type RouteContext, route } from '../../route.ts';
import { answersChange, changedAnswers } from '../assistants/answer-settings.ts';
import { assistantRoutes } from '../assistants/assistant-routes.ts';
import { attachedKnowledge } from '../assistants/attached-knowledge.ts';
import { CHATBOT } from '../assistants/kinds.ts';
import { appearanceChange, changedAppearance } from './appearance.ts';
import { chatbot, chatbotJson, reply, replyJson } from './json.ts';
import { eventsOf, eventsOfWhole, replyEvents } from './reply-stream.ts';

const { kind, params } = CHATBOT;

export const createChatbot = route({
  method: 'POST',
  path: '/chatbots',
  summary: 'Create a chatbot',
  description: ASSISTANT_LIMITS_TEXT,
  scope: 'CHATBOTS_WRITE',
  extension: true,
  body: z
    .object({
      title,
      allowed_domains: optional(allowedDomains),
      greeting: changedAnswers.greeting,
      ...changedAppearance,
    })
    .meta({ examples: [{ title: 'Help', allowed_domains: ['www.example.com'] }] }),
  response: chatbot,
  call: ({ body }, { assistants }) =>
    assistants.createChatbot({
      title: body.title,
      allowedDomains: body.allowed_domains,
      answers: answersChange({ greeting: body.greeting }),
      appearance: appearanceChange(body),
    }),
  toJson: ({ chatbot }) => chatbotJson(chatbot!),
});

export const updateChatbot = route({
  method: 'PATCH',
  path: '/chatbot/:id',
  summary: 'Change the title, the allowed domains, the answers or the appearance of a chatbot',
  description: 'Absent fields stay as they are; null brings back the default, but for the title.',
  scope: 'CHATBOTS_WRITE',
  extension: true,
  params,
  body: z
    .object({
      title: title.optional(),
      allowed_domains: replacedList(allowedDomains),
      ...changedAnswers,
      ...changedAppearance,
    })
    .meta({ examples: [{ allowed_domains: ['www.example.com', '*.example.org'], greeting: 'Ask me about tea.' }] }),
  response: chatbot,
  call: ({ params, body }, { assistants }) =>
    assistants.updateChatbot({
      ...params,
      title: body.title,
      allowedDomains: body.allowed_domains,
      answers: answersChange(body),
      appearance: appearanceChange(body),
    }),
  toJson: ({ chatbot }) => chatbotJson(chatbot!),
});

export const {
  list: listChatbots,
  get: getChatbot,
  remove: deleteChatbot,
} = assistantRoutes(CHATBOT, {
  one: 'a chatbot',
  response: chatbot,
  toJson: chatbotJson,
  list: async ({ assistants }) => (await assistants.listChatbots({})).chatbots,
  get: async ({ assistants }, params) => (await assistants.getChatbot(params)).chatbot!,
  remove: async ({ assistants }, params) => (await assistants.deleteChatbot(params)).chatbot!,
  removal: {
    summary: 'Delete a chatbot and its chats',
    description: 'Answers with the chatbot as it was. Its knowledge stays.',
  },
});

export const {
  attachKnowledge: attachKnowledgeToChatbot,
  detachKnowledge: detachKnowledgeFromChatbot,
  listAttachedKnowledge: listKnowledgeOfChatbot,
} = attachedKnowledge(CHATBOT);

export const askChatbot = route({
  method: 'POST',
  path: '/chatbot/:id/reply',
  summary: 'Ask a chatbot, and get its reply',
  scope: 'any key',
  restricted: ['CHATS_REPLY'],
  description: 'With `Accept: text/event-stream` the reply is streamed while it is written.',
  params,
  body: z
    .object({
      message: requiredText(10_000),
      session_id: optional(z.string()).meta({ description: 'Of an earlier reply, to continue that conversation.' }),
    })
    .meta({ examples: [{ message: 'When are you open?' }] }),
  response: reply,
  timeout: 'replyMs',
  call: async (input, context) => context.assistants.reply(await question(input, context)),
  toJson: replyJson,
  stream: {
    events: replyEvents,
    async *call(input, context) {
      return yield* eventsOf(context.assistants.streamReply({ reply: await question(input, context) }));
    },
    whole: eventsOfWhole,
  },
});

interface Asked {
  params: { id: string };
  body: { message: string; session_id?: string | undefined };
}

/** The question as the service takes it. */
async function question({ params, body }: Asked, { assistants }: RouteContext) {
  const { message, session_id: sessionId } = body;
  if (sessionId === '') {
    // An empty id would start a new session in the service, but the client named one, which does not exist.
    await assistants.getChatbot(params);
    throw notFound('There is no such session.');
  }
  return { kind, assistantId: params.id, sessionId, message };
}
