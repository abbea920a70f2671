import { ThreadKind } from '@parley/proto/conversations/v1/conversations_service_pb';
import type { z } from 'zod';
import { uuid } from '../../fields/ids.ts';
import type { RouteContext } from '../../route.ts';
import type { OneOf, ScopeName } from '../../scopes.ts';
import { type AssistantResource, CHATBOT, EMAIL_INBOX, TICKET_FORM } from '../assistants/kinds.ts';

/** One of the three kinds of thread, for the routes that they share. */
export interface ThreadResource {
  kind: ThreadKind;
  assistant: AssistantResource;
  /** The path of an assistant's threads. */
  listPath: `${AssistantResource['path']}/${string}`;
  /** The path parameter with the id of a thread. */
  idParam: `${string}_id`;
  targetType: 'CHAT' | 'TICKET' | 'EMAIL';
  /** In summaries. */
  words: { one: string; many: string };
  /** `read` is for restricted keys. */
  scopes: { read: OneOf; block: ScopeName };
}

export const CHAT = {
  kind: ThreadKind.CHAT,
  assistant: CHATBOT,
  listPath: '/chatbot/:id/chats',
  idParam: 'chat_id',
  targetType: 'CHAT',
  words: { one: 'a chat', many: 'the chats of a chatbot' },
  scopes: { read: ['CHATS_READ'], block: 'CHATBOTS_WRITE' },
} satisfies ThreadResource;

/** A thread with a status: a ticket or an email. */
export interface CaseResource extends ThreadResource {
  scopes: ThreadResource['scopes'] & { write: ScopeName };
}

export const TICKET = {
  kind: ThreadKind.TICKET,
  assistant: TICKET_FORM,
  listPath: '/ticket-form/:id/tickets',
  idParam: 'ticket_id',
  targetType: 'TICKET',
  words: { one: 'a ticket', many: 'the tickets of a form' },
  scopes: { read: ['TICKETS_READ', 'TICKETS_WRITE'], block: 'TICKETFORMS_WRITE', write: 'TICKETS_WRITE' },
} satisfies CaseResource;

export const EMAIL = {
  kind: ThreadKind.EMAIL,
  assistant: EMAIL_INBOX,
  listPath: '/email-inbox/:id/emails',
  idParam: 'email_id',
  targetType: 'EMAIL',
  words: { one: 'an email', many: 'the emails of an inbox' },
  scopes: { read: ['EMAILS_READ', 'EMAILS_WRITE'], block: 'EMAILINBOXES_WRITE', write: 'EMAILS_WRITE' },
} satisfies CaseResource;

/** Returns what the routes of one thread have in common. */
export function oneThread({ kind, assistant, listPath, idParam }: ThreadResource) {
  // A computed name would hide `id` from the type.
  const params = assistant.params.extend({ [idParam]: uuid } as Record<never, never>);
  type Params = z.output<typeof params>;
  const idOf = (params: Params): string => (params as Record<string, string>)[idParam]!;
  return {
    path: `${listPath}/:${idParam}`,
    params,
    idOf,
    /** The thread for the conversations service. NOT_FOUND or PERMISSION_DENIED as for the assistant. */
    ref: async (params: Params, context: RouteContext) => ({
      kind,
      assistantId: await assistant.internalId(params.id, context),
      id: idOf(params),
    }),
  };
}
