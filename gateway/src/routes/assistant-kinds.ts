import { AssistantKind } from '@parley/proto/assistants/v1/assistants_service_pb';
import { z } from 'zod';
import { assistantId, inboxId } from '../fields/ids.ts';
import type { RouteContext } from '../route.ts';

/** One of the three kinds of assistant, for the routes that they share. */
export interface AssistantResource {
  kind: AssistantKind;
  /** The path of one assistant; its routes start with it. */
  path: `/${string}/:id`;
  params: z.ZodObject<{ id: z.ZodType<string> }>;
  /**
   * Resolves a public id or alias to the internal id, for services that know no other. NOT_FOUND or PERMISSION_DENIED if
   * the account has no such assistant.
   */
  internalId(id: string, context: RouteContext): Promise<string>;
}

export const CHATBOT = {
  kind: AssistantKind.CHATBOT,
  path: '/chatbot/:id',
  params: z.object({ id: assistantId }),
  internalId: async (id, { assistants }) => (await assistants.getChatbot({ id })).chatbot!.id,
} satisfies AssistantResource;

export const TICKET_FORM = {
  kind: AssistantKind.TICKET_FORM,
  path: '/ticket-form/:id',
  params: z.object({ id: assistantId }),
  internalId: async (id, { assistants }) => (await assistants.getTicketForm({ id })).ticketForm!.id,
} satisfies AssistantResource;

export const EMAIL_INBOX = {
  kind: AssistantKind.EMAIL_INBOX,
  path: '/email-inbox/:id',
  params: z.object({ id: inboxId }),
  internalId: async (id, { assistants }) => (await assistants.getEmailInbox({ id })).emailInbox!.id,
} satisfies AssistantResource;
