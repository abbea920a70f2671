import type { Chat, GetChatResponse } from '@parley/proto/conversations/v1/conversations_service_pb';
import { z } from 'zod';
import { iso, timestamp } from '../../fields/dates.ts';
import { conversation, conversationJson } from '../threads/messages.ts';
import { visitor, visitorJson } from '../visitors/visitor-json.ts';
import { VOTE } from '../visitors/vote.ts';

const EXAMPLE = {
  id: '01890a5d-ac96-474b-8cce-b302099a8057',
  session_id: '01890a5d-b1c2-4e1f-9d3a-5b6c7d8e9f01',
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:31:12.000Z',
  visitor: null,
  votes: [],
};

const vote = z.object({
  message_id: z.string(),
  vote: VOTE.schema,
  reason: z.string().nullable(),
  at: timestamp,
});

const fields = z.object({
  id: z.string(),
  session_id: z.string().meta({ description: 'Continues the conversation when a reply is asked for with it.' }),
  created_at: timestamp,
  updated_at: timestamp,
  visitor: visitor.nullable().meta({ description: 'Null if an API key began it.', 'x-parley-extension': true }),
  votes: z.array(vote).meta({ description: "The visitor's, the latest last.", 'x-parley-extension': true }),
});

export const listedChat = fields.meta({ id: 'Chat', examples: [EXAMPLE] });

export const chat = fields.extend({ conversation }).meta({
  id: 'ChatWithConversation',
  examples: [
    {
      ...EXAMPLE,
      conversation: [
        { role: 'user', message: 'When are you open?' },
        { role: 'assistant', message: 'From nine to five. [1]\n\nSources:\n[1] Opening hours' },
      ],
    },
  ],
});

export const listedChatJson = ({
  id,
  sessionId,
  createdAt,
  updatedAt,
  visitor,
  votes,
}: Chat): z.input<typeof listedChat> => ({
  id,
  session_id: sessionId,
  created_at: iso(createdAt!),
  updated_at: iso(updatedAt!),
  visitor: visitor ? visitorJson(visitor) : null,
  votes: votes.map(({ messageId, kind, reason, at }) => ({
    message_id: messageId,
    vote: VOTE.nameOf(kind),
    reason: reason || null,
    at: iso(at!),
  })),
});

export const chatJson = ({ chat: found, conversation }: GetChatResponse): z.input<typeof chat> => ({
  ...listedChatJson(found!),
  conversation: conversationJson(conversation),
});
