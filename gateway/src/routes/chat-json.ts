import { type Chat, type GetChatResponse, Role } from '@parley/proto/conversations/v1/conversations_service_pb';
import { z } from 'zod';
import { iso, timestamp } from '../fields/dates.ts';

export const listedChat = z.object({
  id: z.string(),
  session_id: z.string(),
  created_at: timestamp,
  updated_at: timestamp,
});

export const chat = listedChat.extend({
  conversation: z.array(z.object({ role: z.enum(['user', 'assistant']), message: z.string() })),
});

export const listedChatJson = ({ id, sessionId, createdAt, updatedAt }: Chat): z.input<typeof listedChat> => ({
  id,
  session_id: sessionId,
  created_at: iso(createdAt!),
  updated_at: iso(updatedAt!),
});

export const chatJson = ({ chat: found, conversation }: GetChatResponse): z.input<typeof chat> => ({
  ...listedChatJson(found!),
  conversation: conversation.map(({ role, message }) => ({ role: role === Role.USER ? 'user' : 'assistant', message })),
});
