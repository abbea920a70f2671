import { AssistantKind } from '@parley/proto/assistants/v1/assistants_service_pb';
import { z } from 'zod';
import { assistantId, inboxId } from '../../fields/ids.ts';
import type { RouteContext } from '../../route.ts';
import type { OneOf, ScopeName } from '../../scopes.ts';

/** One of the three kinds of assistant, for the routes that they share. */
export interface AssistantResource {
  kind: AssistantKind;
  /** The path of all assistants of the kind. */
  paths: `/${string}`;
  /** The path of one assistant; its routes start with it. */
  path: `/${string}/:id`;
  params: z.ZodObject<{ id: z.ZodType<string> }>;
  /** To change an assistant, any key needs `write`. To read one, a restricted key needs any scope for that kind. */
  scopes: { write: ScopeName; read: OneOf };
  /**
   * Resolves a public id or alias to the internal id, for services that know no other. NOT_FOUND or PERMISSION_DENIED if
   * the account has no such assistant.
   */
  internalId(id: string, context: RouteContext): Promise<string>;
}

export const CHATBOT = {
  kind: AssistantKind.CHATBOT,
  paths: '/chatbots',
  path: '/chatbot/:id',
  params: z.object({ id: assistantId }),
  scopes: { write: 'CHATBOTS_WRITE', read: ['CHATBOTS_WRITE', 'CHATS_READ', 'CHATS_REPLY'] },
  internalId: async (id, { assistants }) => (await assistants.getChatbot({ id })).chatbot!.id,
} satisfies AssistantResource;

export const TICKET_FORM = {
  kind: AssistantKind.TICKET_FORM,
  paths: '/ticket-forms',
  path: '/ticket-form/:id',
  params: z.object({ id: assistantId }),
  scopes: { write: 'TICKETFORMS_WRITE', read: ['TICKETFORMS_WRITE', 'TICKETS_READ', 'TICKETS_WRITE'] },
  internalId: async (id, { assistants }) => (await assistants.getTicketForm({ id })).ticketForm!.id,
} satisfies AssistantResource;

export const EMAIL_INBOX = {
  kind: AssistantKind.EMAIL_INBOX,
  paths: '/email-inboxes',
  path: '/email-inbox/:id',
  params: z.object({ id: inboxId }),
  scopes: { write: 'EMAILINBOXES_WRITE', read: ['EMAILINBOXES_WRITE', 'EMAILS_READ', 'EMAILS_WRITE'] },
  internalId: async (id, { assistants }) => (await assistants.getEmailInbox({ id })).emailInbox!.id,
} satisfies AssistantResource;
