import { z } from 'zod';
import { once } from '../../fields/list.ts';
import { list, route } from '../../route.ts';
import { CHATBOT } from '../assistants/kinds.ts';
import { CHAT, oneThread } from '../threads/kinds.ts';
import { createdBetween, createdBetweenTimestamps, threadRoutes } from '../threads/routes.ts';
import { VOTE } from '../visitors/vote.ts';
import { chat, chatJson, listedChat, listedChatJson } from './json.ts';

const voteParameter = once('up or down')
  .pipe(VOTE.schema)
  .optional()
  .meta({ description: 'Only chats with such a vote.' });

const verifiedParameter = once('true or false')
  .pipe(z.enum(['true', 'false']))
  .transform((value) => value === 'true')
  .optional()
  .meta({ description: 'Only chats of visitors who are verified, or of those who are not.' });

export const listChats = list({
  path: CHAT.listPath,
  summary: 'List the chats of a chatbot, newest first',
  scope: 'any key',
  restricted: CHAT.scopes.read,
  params: CHATBOT.params,
  filter: createdBetween.extend({ vote: voteParameter, verified: verifiedParameter }),
  item: listedChat,
  toJson: listedChatJson,
  call: async ({ params, filter, page }, context) =>
    context.conversations.listChats({
      chatbotId: await CHATBOT.internalId(params.id, context),
      ...createdBetweenTimestamps(filter),
      ...(filter.vote && { vote: VOTE.valueOf(filter.vote) }),
      ...(filter.verified !== undefined && { verified: filter.verified }),
      ...page,
    }),
});

const { path, params, idOf } = oneThread(CHAT);

export const getChat = route({
  method: 'GET',
  path,
  summary: 'Read a chat and its conversation',
  scope: 'any key',
  restricted: CHAT.scopes.read,
  params,
  response: chat,
  call: async ({ params }, context) =>
    context.conversations.getChat({ chatbotId: await CHATBOT.internalId(params.id, context), id: idOf(params) }),
  toJson: chatJson,
});

export const { block: blockChat, unblock: unblockChat, listEvidence: listChatEvidence } = threadRoutes(CHAT);
