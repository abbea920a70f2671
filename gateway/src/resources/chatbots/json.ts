import type { Chatbot, ReplyResponse, Source } from '@parley/proto/assistants/v1/assistants_service_pb';
import { z } from 'zod';
import { answersJson, shownAnswers } from '../assistants/answer-settings.ts';
import { confidence, confidenceJson } from '../assistants/confidence.ts';
import { appearanceJson, shownAppearance } from './appearance.ts';

const fields = z.object({
  id: z.string(),
  public_id: z.string().meta({ description: 'Short and URL-safe; names the chatbot in paths as its id does.' }),
  title: z.string(),
  allowed_domains: z.array(z.string()).meta({ description: 'Hosts of the pages that may embed it.' }),
  ...shownAnswers,
  ...shownAppearance,
});

export const chatbot = fields.meta({
  id: 'Chatbot',
  examples: [
    {
      id: '01890a5d-ac96-474b-8cce-b302099a8057',
      public_id: 'R7ne6P7zrruV',
      title: 'Help',
      allowed_domains: ['www.example.com', 'localhost:3000'],
    },
  ],
});

export const chatbotJson = ({
  id,
  publicId,
  title,
  allowedDomains,
  answers,
  appearance,
}: Chatbot): z.input<typeof chatbot> => ({
  id,
  public_id: publicId,
  title,
  allowed_domains: allowedDomains,
  ...answersJson(answers),
  ...appearanceJson(appearance),
});

export const source = z
  .object({
    n: z.int().meta({ description: 'The number of its mark in the message.' }),
    title: z.string(),
    url: z.string().nullable().meta({ description: 'Null if the source has no address.' }),
  })
  .meta({ id: 'Source', examples: [{ n: 1, title: 'Opening hours', url: 'https://www.example.com/hours' }] });

export const sourceJson = ({ n, title, url }: Pick<Source, 'n' | 'title' | 'url'>): z.input<typeof source> => ({
  n,
  title,
  url: url || null,
});

const replyFields = z.object({
  id: z.string().meta({ description: 'The id of the chat.' }),
  session_id: z.string().meta({ description: 'Send it with the next message, to continue the conversation.' }),
  message: z.string().meta({ description: 'The reply, with citation marks [n] and a closing list of sources.' }),
  sources: z.array(source).meta({ 'x-parley-extension': true }),
  confidence: confidence.meta({ 'x-parley-extension': true }),
});

export const reply = replyFields.meta({
  id: 'Reply',
  examples: [
    {
      id: '01890a5d-ac96-474b-8cce-b302099a8057',
      session_id: '01890a5d-b1c2-4e1f-9d3a-5b6c7d8e9f01',
      message: 'From nine to five. [1]\n\nSources:\n[1] Opening hours - https://www.example.com/hours',
      sources: [{ n: 1, title: 'Opening hours', url: 'https://www.example.com/hours' }],
      confidence: 'high',
    },
  ],
});

export const replyJson = ({ id, sessionId, message, sources, confidence }: ReplyResponse): z.input<typeof reply> => ({
  id,
  session_id: sessionId,
  message,
  sources: sources.map(sourceJson),
  confidence: confidenceJson(confidence),
});
