import type { Chatbot, ReplyResponse } from '@parley/proto/assistants/v1/assistants_service_pb';
import { z } from 'zod';

export const chatbot = z.object({
  id: z.string(),
  public_id: z.string(),
  title: z.string(),
  allowed_domains: z.array(z.string()),
});

export const chatbotJson = ({ id, publicId, title, allowedDomains }: Chatbot): z.input<typeof chatbot> => ({
  id,
  public_id: publicId,
  title,
  allowed_domains: allowedDomains,
});

export const reply = z.object({
  id: z.string().meta({ description: 'The id of the chat.' }),
  session_id: z.string(),
  message: z.string().meta({ description: 'The reply, with marks [n] and a closing list of its sources.' }),
  sources: z
    .array(
      z.object({
        n: z.int().meta({ description: 'The mark in the message.' }),
        title: z.string(),
        url: z.string().nullable().meta({ description: 'Null where the source has no address.' }),
      }),
    )
    .meta({ 'x-parley-extension': true }),
});

export const replyJson = ({ id, sessionId, message, sources }: ReplyResponse): z.input<typeof reply> => ({
  id,
  session_id: sessionId,
  message,
  sources: sources.map(({ n, title, url }) => ({ n, title, url: url || null })),
});
