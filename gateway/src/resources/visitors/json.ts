import type { ReplyResponse } from '@parley/proto/assistants/v1/assistants_service_pb';
import { type GetVisitorChatResponse, Role } from '@parley/proto/conversations/v1/conversations_service_pb';
import { z } from 'zod';
import { iso, timestamp } from '../../fields/dates.ts';
import type { Embedded } from '../../public/finders.ts';
import type { Profile } from '../../public/visitor-tokens.ts';
import { confidence, confidenceJson } from '../assistants/confidence.ts';
import { source, sourceJson } from '../chatbots/json.ts';
import { visitor, visitorJson } from './visitor-json.ts';
import { VOTE } from './vote.ts';

const ID = '01890a5d-ac96-474b-8cce-b302099a8057';
const MESSAGE_ID = '01890a5d-b1c2-8e1f-9d3a-5b6c7d8e9f01';
const MESSAGE = 'From nine to five. [1]\n\nSources:\n[1] Opening hours - https://www.example.com/hours';
const SOURCES = [{ n: 1, title: 'Opening hours', url: 'https://www.example.com/hours' }];
const TOKEN = 'AWk3c2VjcmV0LXRva2VuLW9mLWEtdmlzaXRvcg';

export const publicChatbot = z
  .object({
    public_id: z.string(),
    title: z.string(),
    greeting: z.string().nullable().meta({ description: 'Null: one in the language of the visitor.' }),
    suggestions: z.array(z.string()).meta({ description: 'Questions to begin with, at most 4.' }),
    colour: z.string().nullable().meta({ description: '#rrggbb' }),
    ticket_form: z
      .string()
      .nullable()
      .meta({ description: 'The public id of the ticket form that leads to a person.' }),
  })
  .meta({
    id: 'PublicChatbot',
    examples: [
      {
        public_id: 'R7ne6P7zrruV',
        title: 'Help',
        greeting: 'Ask me about tea.',
        suggestions: ['When are you open?'],
        colour: '#336699',
        ticket_form: null,
      },
    ],
  });

export const publicChatbotJson = ({ chatbot, ticketForm }: Embedded): z.input<typeof publicChatbot> => ({
  public_id: chatbot.publicId,
  title: chatbot.title,
  greeting: chatbot.answers?.greeting ?? null,
  suggestions: chatbot.appearance?.suggestions ?? [],
  colour: chatbot.appearance?.colour ?? null,
  ticket_form: ticketForm || null,
});

const visitorToken = z
  .string()
  .meta({ description: 'Send it in the header X-Visitor-Token from now on. It is a secret.' });

export const identified = z
  .object({ visitor_token: visitorToken })
  .meta({ id: 'Identified', examples: [{ visitor_token: TOKEN }] });

export const visitorReply = z
  .object({
    id: z.string().meta({ description: 'The id of the chat, for its owner.' }),
    message_id: z.string().meta({ description: 'The id of the answer, for a vote.' }),
    message: z.string().meta({ description: 'The reply, with citation marks [n] and a closing list of sources.' }),
    sources: z.array(source),
    confidence,
    visitor_token: visitorToken,
  })
  .meta({
    id: 'VisitorReply',
    examples: [
      {
        id: ID,
        message_id: MESSAGE_ID,
        message: MESSAGE,
        sources: SOURCES,
        confidence: 'high',
        visitor_token: TOKEN,
      },
    ],
  });

export const visitorReplyJson = (
  { id, messageId, message, sources, confidence }: ReplyResponse,
  token: string,
): z.input<typeof visitorReply> => ({
  id,
  message_id: messageId,
  message,
  sources: sources.map(sourceJson),
  confidence: confidenceJson(confidence),
  visitor_token: token,
});

const message = z.object({
  id: z.string(),
  role: z.enum(['user', 'assistant']),
  message: z.string(),
  sources: z.array(source),
  confidence,
  vote: VOTE.schema.nullable().meta({ description: "The visitor's vote." }),
  created_at: timestamp,
});

export const ownConversation = z
  .object({
    id: z
      .string()
      .nullable()
      .meta({ description: 'The id of the chat, for its owner; null before the first message.' }),
    visitor,
    conversation: z
      .array(message)
      .meta({ description: 'Oldest first: the last 200 messages, or fewer if they are long.' }),
  })
  .meta({
    id: 'OwnConversation',
    examples: [
      {
        id: ID,
        visitor: { name: 'Ann', email: null, user_id: null, verified: false },
        conversation: [
          {
            id: ID,
            role: 'user',
            message: 'When are you open?',
            sources: [],
            confidence: null,
            vote: null,
            created_at: '2026-03-01T09:30:00.000Z',
          },
          {
            id: MESSAGE_ID,
            role: 'assistant',
            message: MESSAGE,
            sources: SOURCES,
            confidence: 'high',
            vote: 'up',
            created_at: '2026-03-01T09:30:02.000Z',
          },
        ],
      },
    ],
  });

export function ownConversationJson({ chat, messages }: GetVisitorChatResponse): z.input<typeof ownConversation> {
  const votes = new Map(chat!.votes.map(({ messageId, kind }) => [messageId, VOTE.nameOf(kind)]));
  return {
    id: chat!.id,
    visitor: visitorJson(chat!.visitor!),
    conversation: messages.map(({ id, role, message, sources, confidence, at }) => ({
      id,
      role: role === Role.USER ? 'user' : 'assistant',
      message,
      sources: sources.map(sourceJson),
      confidence: confidenceJson(confidence),
      vote: votes.get(id) ?? null,
      created_at: iso(at!),
    })),
  };
}

/** Before the first message. */
export const noConversationJson = (profile: Profile): z.input<typeof ownConversation> => ({
  id: null,
  visitor: visitorJson(profile),
  conversation: [],
});
