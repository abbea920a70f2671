import { invalidArgument } from '@parley/runtime';
import { publicError } from '@parley/runtime/rpc';
import { z } from 'zod';
import { uuid } from '../../fields/ids.ts';
import { optional, requiredText } from '../../fields/text.ts';
import { type RouteContext, route } from '../../route.ts';
import { aiRoutes } from '../threads/ai-routes.ts';
import { fileRoutes } from '../threads/files.ts';
import { listedTicket, listedTicketJson, ticket, ticketJson } from '../threads/json.ts';
import { oneThread, TICKET } from '../threads/kinds.ts';
import { caseRoutes, threadRoutes } from '../threads/routes.ts';

export const {
  list: listTickets,
  read: getTicket,
  update: updateTicket,
  listChanges: listTicketChanges,
} = caseRoutes(TICKET, {
  listed: listedTicket,
  listedJson: listedTicketJson,
  single: ticket,
  singleJson: ticketJson,
});

export const { block: blockTicket, unblock: unblockTicket, listEvidence: listTicketEvidence } = threadRoutes(TICKET);

export const {
  getDraft: getTicketDraft,
  changeDraft: changeTicketDraft,
  discardDraft: discardTicketDraft,
  sendDraft: sendTicketDraft,
  setAi: setTicketAi,
} = aiRoutes(TICKET);

export const { getRaw: getRawTicketMail, getAttachment: getTicketAttachment } = fileRoutes(TICKET);

const { path, params, ref } = oneThread(TICKET);

export const revokeTicketLink = route({
  method: 'DELETE',
  path: `${path}/link`,
  summary: 'End the links by which the person behind a ticket reads it',
  description: 'The next mail to them has a new one.',
  scope: TICKET.scopes.write,
  extension: true,
  params,
  call: async ({ params }, context) => context.conversations.revokeLink({ thread: await ref(params, context) }),
});

export const replyToTicket = route({
  method: 'POST',
  path: `${path}/reply`,
  summary: 'Reply to a ticket as the owner, or as one of their personas',
  description: 'From then on the AI stays out of the conversation.',
  scope: TICKET.scopes.write,
  params,
  body: z
    .object({
      message: requiredText(10_000),
      persona_id: optional(uuid).meta({ description: 'The persona that the reply comes from; the owner if absent.' }),
    })
    .meta({ examples: [{ message: 'Please send us the lamp.' }] }),
  call: async ({ params, body }, context) => {
    const { persona_id: personaId, message } = body;
    const reply = async (more: object) =>
      context.conversations.replyToThread({
        thread: await ref(params, context),
        message,
        ownerName: context.identity.account.name,
        ...more,
      });
    if (!personaId) return reply({});
    const persona = await unlessNotOurs(personaOf(personaId, context));
    if (persona) return reply({ persona });
    // It may have been deleted after a first attempt had stored the message.
    const repeated = await unlessNotOurs(reply({ onlyRepeat: true }));
    if (!repeated) throw invalidArgument('persona_id is not a persona of this account.');
  },
});

async function personaOf(personaId: string, { auth }: RouteContext) {
  const { id, name, imageUrl } = (await auth.getPersona({ id: personaId })).persona!;
  return { id, name, ...(imageUrl !== undefined && { imageUrl }) };
}

/** A persona that the account may not use is a bad value, so that comes before whether the ticket exists. */
async function unlessNotOurs<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    const { code } = publicError(error);
    if (code === 'not_found' || code === 'permission_denied') return undefined;
    throw error;
  }
}
