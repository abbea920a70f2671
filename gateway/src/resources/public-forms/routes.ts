import { ThreadKind } from '@parley/proto/conversations/v1/conversations_service_pb';
import { invalidArgument, notFound } from '@parley/runtime';
import { z } from 'zod';
import { uuid } from '../../fields/ids.ts';
import { optional, requiredText, text } from '../../fields/text.ts';
import type { FormContext } from '../../public/visitor-context.ts';
import { formRoute } from '../../public/visitor-route.ts';
import { openedTicket, ownTicket, ownTicketJson, publicForm, publicFormJson } from './json.ts';

const params = z.object({
  public_id: z
    .string()
    .regex(/^[A-Za-z0-9]{8,32}$/, 'must be a public id')
    .meta({ description: 'The public id of the ticket form.', pattern: undefined }),
});

const ofTicket = z.object({
  token: z
    .string()
    .regex(/^[\w-]{20,1000}$/, 'must be the token of a ticket')
    .meta({ description: 'The token of the ticket.', pattern: undefined }),
});

const MAX_ANSWERS = 100;
const MAX_VALUES = 200;
const MAX_MESSAGE = 10_000;

export const getPublicTicketForm = formRoute({
  method: 'GET',
  path: '/ticket-forms/:public_id',
  summary: 'Read what a page shows of a ticket form',
  shows: 'form',
  params,
  response: publicForm,
  call: async (_, context) => context,
  toJson: ({ form }) => publicFormJson(form),
});

const value = z
  .union([text(MAX_MESSAGE), z.number(), z.boolean(), z.array(text(200)).max(MAX_VALUES)])
  .meta({ description: 'A list for MULTI_SELECT, true or false for CHECKBOX, YYYY-MM-DD for DATE.' });

export const openTicket = formRoute({
  method: 'POST',
  path: '/ticket-forms/:public_id/tickets',
  summary: 'Open a ticket with a filled-in form',
  description:
    'The first message of the ticket has one answer a line, as `name: value`; with `conversation`, what was said in the chat of that visitor follows. Up to five files of 10 MiB (images, PDF, office documents, audio, video, plain text) come as `multipart/form-data`, with `answers` as JSON in a part of that name. The link to the ticket is mailed to `email`. Repeat a request that broke off with its `Idempotency-Key`.',
  shows: 'form',
  consumes: 'form',
  params,
  body: z
    .object({
      email: requiredText(320).meta({ format: 'email' }),
      name: optional(requiredText(200)),
      answers: optional(z.array(z.object({ field_id: uuid, value })).max(MAX_ANSWERS)),
      conversation: optional(requiredText(2_000)).meta({ description: 'The token of a visitor of a chatbot.' }),
    })
    .meta({ examples: [{ email: 'ann@example.com', name: 'Ann', answers: [] }] }),
  response: openedTicket,
  async call({ body: { email, name = '', answers = [], conversation } }, context) {
    await context.spend();
    const { form, assistants, files: came } = context;
    const transcript = conversation === undefined ? [] : await transcriptOf(conversation, context);
    const filled = answers.map(({ field_id: fieldId, value }) => ({ fieldId, values: [value].flat().map(String) }));
    const attachments = (came?.files ?? []).map(({ name, type, size }) => ({ name, type, size }));
    const opened = await assistants.openTicket({
      ...{ formId: form.id, email, name, answers: filled, transcript },
      ...{ attachments, attachmentsFolder: came?.folder ?? '' },
    });
    if (came) came.kept = opened.attachmentsFolder;
    return opened;
  },
  toJson: ({ ticketId: ticket, link }, { account, form, ticketTokens }) => ({
    id: ticket,
    token: ticketTokens.seal({ account, form: form.id, ticket, link }),
  }),
});

/** Returns what a visitor of a chatbot and the chatbot have said. Empty before the first message. */
async function transcriptOf(token: string, { tokens, conversations }: FormContext) {
  const { id: visitorId, chatbot: chatbotId, session: sessionId } = visitorOf(token, tokens);
  if (sessionId === undefined) return [];
  const { messages } = await conversations.getVisitorChat({ chatbotId, sessionId, visitorId });
  return messages.map(({ role, message }) => ({ role, message }));
}

function visitorOf(token: string, tokens: FormContext['tokens']) {
  try {
    return tokens.open(token);
  } catch {
    throw invalidArgument('conversation must be the token of a visitor, not expired.');
  }
}

const refOf = ({ form, ticket }: FormContext) => ({ kind: ThreadKind.TICKET, assistantId: form.id, id: ticket!.id });

export const getOwnTicket = formRoute({
  method: 'GET',
  path: '/tickets/:token',
  summary: 'Read a ticket as the person who opened it',
  shows: 'ticket',
  params: ofTicket,
  response: ownTicket,
  async call(_, context) {
    const found = await context.conversations.getThread({ thread: refOf(context) });
    if (found.thread!.link !== context.ticket!.link) throw notFound('This link is no longer valid.');
    return ownTicketJson(context.form.title, found);
  },
  toJson: (ticket) => ticket,
});

export const addTicketMessage = formRoute({
  method: 'POST',
  path: '/tickets/:token/messages',
  summary: 'Write in a ticket as the person who opened it',
  description: 'Reopens a ticket that is resolved or closed.',
  shows: 'ticket',
  params: ofTicket,
  body: z.object({ message: requiredText(MAX_MESSAGE) }).meta({ examples: [{ message: 'It still flickers.' }] }),
  async call({ body: { message } }, context) {
    await context.spend();
    await context.conversations.addUserMessage({ thread: refOf(context), message, link: context.ticket!.link });
  },
});
