import { z } from 'zod';
import { event } from './define.ts';

const id = z.uuid();
const [ONE, TWO, THREE, FOUR] = [
  '3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34',
  '8d1e6f0b-2a3c-4b5d-8e7f-9a0b1c2d3e4f',
  'b7c9d2e1-5f4a-4c3b-9d8e-7f6a5b4c3d2e',
  '1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
] as const;

const confidence = z.enum(['high', 'low']).meta({ description: 'How sure the assistant is.' });
const status = z.enum(['open', 'assigned', 'need_more_info', 'resolved', 'closed']);
const priority = z.enum(['low', 'medium', 'high', 'urgent']);
const mailed = z.enum(['ticket', 'email']);
const assistantKind = z.enum(['chatbot', 'ticket_form', 'email_inbox']);

/** Where something was said. */
const place = z.object({
  kind: z.enum(['chat', 'ticket', 'email']).meta({ description: 'What `conversation_id` is the id of.' }),
  conversation_id: id,
  assistant_id: id.meta({ description: 'The chatbot, ticket form or email inbox.' }),
});
const CHAT = { kind: 'chat', conversation_id: ONE, assistant_id: TWO } as const;
const TICKET = { kind: 'ticket', conversation_id: ONE, assistant_id: TWO } as const;
const EMAIL = { kind: 'email', conversation_id: ONE, assistant_id: TWO } as const;
const mailPlace = place.extend({ kind: mailed });

const inChat = z.object({ chat_id: id, chatbot_id: id });
const IN_CHAT = { chat_id: ONE, chatbot_id: TWO };

const item = z.object({ knowledge_id: id });
const training = item.extend({
  generation: z.int().meta({ description: 'Counts the trainings that were asked for, of this item.' }),
});
const assistant = z.object({ assistant_id: id, kind: assistantKind });
const CHATBOT = { assistant_id: TWO, kind: 'chatbot' } as const;
const key = z.object({ key_id: id });
const quota = z.object({
  name: z.string().meta({ description: 'As in `GET /usage`.' }),
  used: z.int(),
  limit: z.int(),
  window: z.enum(['none', 'day']).meta({ description: 'After which it counts anew, in UTC.' }),
});
const ITEMS = { name: 'items', limit: 10_000, window: 'none' } as const;

/** Every event that an account can read and be notified of. A new one is a line here, and in the events service, what it is made of. */
export const CATALOGUE = {
  'chat.begun': event('Somebody began a chat.', inChat, IN_CHAT),
  'ticket.opened': event('A ticket was opened.', z.object({ ticket_id: id, ticket_form_id: id }), {
    ticket_id: ONE,
    ticket_form_id: TWO,
  }),
  'email.opened': event(
    'A mail began a conversation.',
    z.object({
      email_id: id,
      email_inbox_id: id,
      automatic: z.boolean().meta({ description: 'Sent by a program, such as a newsletter or a bounce.' }),
    }),
    { email_id: ONE, email_inbox_id: TWO, automatic: false },
  ),
  'message.received': event(
    'An end user said something: in a chat, or in a ticket or an email after it was opened.',
    place.extend({ message_id: id }),
    { ...CHAT, message_id: THREE },
  ),
  'message.written': event(
    'The owner, a persona or the AI wrote in a ticket or an email.',
    mailPlace.extend({ message_id: id, by: z.enum(['owner', 'persona', 'ai']) }),
    { ...TICKET, message_id: THREE, by: 'owner' },
  ),
  'answer.given': event(
    'The AI answered.',
    place.extend({ message_id: id, in_reply_to: id.meta({ description: 'The message it answers.' }), confidence }),
    { ...CHAT, message_id: THREE, in_reply_to: FOUR, confidence: 'high' },
  ),
  'answer.not_found': event(
    'The AI found no answer in the knowledge of the assistant.',
    place.extend({ in_reply_to: id }),
    { ...CHAT, in_reply_to: FOUR },
  ),
  'answer.failed': event('The AI could not answer, because something failed.', place.extend({ in_reply_to: id }), {
    ...TICKET,
    in_reply_to: FOUR,
  }),
  'message.voted': event(
    'A visitor voted on an answer.',
    inChat.extend({ message_id: id, vote: z.enum(['up', 'down']) }),
    { ...IN_CHAT, message_id: THREE, vote: 'up' },
  ),
  'visitor.identified': event(
    'The visitor of a chat, or the page, said who they are.',
    inChat.extend({ verified: z.boolean().meta({ description: 'The page vouches for it.' }) }),
    { ...IN_CHAT, verified: true },
  ),
  'draft.made': event(
    'The AI drafted an answer to a ticket or an email.',
    mailPlace.extend({ in_reply_to: id, confidence }),
    {
      ...TICKET,
      in_reply_to: FOUR,
      confidence: 'low',
    },
  ),
  'mail.sent': event('A message of a ticket or an email was sent by mail.', mailPlace.extend({ message_id: id }), {
    ...EMAIL,
    message_id: THREE,
  }),
  'mail.failed': event(
    'A message of a ticket or an email could not be delivered by mail.',
    mailPlace.extend({ message_id: id }),
    { ...EMAIL, message_id: THREE },
  ),
  'status.changed': event(
    'The status of a ticket or an email changed.',
    mailPlace.extend({ from: status, to: status }),
    {
      ...TICKET,
      from: 'open',
      to: 'resolved',
    },
  ),
  'priority.changed': event(
    'The priority of a ticket or an email changed.',
    mailPlace.extend({ from: priority, to: priority }),
    { ...EMAIL, from: 'medium', to: 'urgent' },
  ),
  'user.blocked': event('The end user behind a conversation was blocked.', place, CHAT),
  'user.unblocked': event('The block of the end user behind a conversation was lifted.', place, CHAT),
  'training.queued': event('A training waits for a trainer.', training, { knowledge_id: ONE, generation: 3 }),
  'training.finished': event(
    'A training finished: what it made is searched from now on.',
    training.extend({ chunks: z.int() }),
    { knowledge_id: ONE, generation: 3, chunks: 120 },
  ),
  'training.failed': event('A training failed. The item says why.', training, { knowledge_id: ONE, generation: 3 }),
  'knowledge.created': event('A knowledge item was created.', item, { knowledge_id: ONE }),
  'knowledge.changed': event('A knowledge item, or a question in its FAQ, was changed.', item, { knowledge_id: ONE }),
  'knowledge.deleted': event('A knowledge item was deleted.', item, { knowledge_id: ONE }),
  'assistant.created': event('A chatbot, ticket form or email inbox was created.', assistant, CHATBOT),
  'assistant.changed': event(
    'A chatbot, ticket form or email inbox was changed, or knowledge was attached or detached.',
    assistant,
    CHATBOT,
  ),
  'assistant.deleted': event('A chatbot, ticket form or email inbox was deleted.', assistant, CHATBOT),
  'key.created': event('An API key was created.', key, { key_id: ONE }),
  'key.revoked': event('An API key was revoked.', key, { key_id: ONE }),
  'quota.near': event('The account uses four fifths of a limit.', quota, { ...ITEMS, used: 8_000 }),
  'quota.reached': event('The account uses all that a limit allows, or was refused more.', quota, {
    ...ITEMS,
    used: 10_000,
  }),
  'webhook.disabled': event(
    'A webhook was disabled, because its receiver answered 410 or accepted nothing for three days.',
    z.object({ webhook_id: id, reason: z.enum(['gone', 'failing']) }),
    { webhook_id: ONE, reason: 'gone' },
  ),
} as const;

export type EventName = keyof typeof CATALOGUE;

/** The data of an event. */
export type DataOf<N extends EventName> = z.output<(typeof CATALOGUE)[N]['data']>;

export const EVENT_NAMES = Object.keys(CATALOGUE) as EventName[];

export const isEventName = (name: string): name is EventName => Object.hasOwn(CATALOGUE, name);
