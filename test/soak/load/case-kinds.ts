import type { Parley, Status } from '../../../clients/typescript/src/index.ts';

type Filter = { status?: string; created_after?: string; limit?: number };

/** Tickets or emails: the same acts at other paths. `id` is that of the form or the inbox, `at` of one ticket or email. */
export interface CaseKind {
  kind: 'ticket' | 'email';
  create(parley: Parley, alias: string): Promise<{ id: string }>;
  attach(parley: Parley, id: string, knowledge_id: string): Promise<unknown>;
  list(parley: Parley, id: string, query: Filter): AsyncIterable<{ id: string; status: Status }>;
  read(parley: Parley, id: string, at: string): Promise<{ status: Status; conversation: { message: string }[] }>;
  update(parley: Parley, id: string, at: string, status: Status): Promise<unknown>;
  history(parley: Parley, id: string, at: string): AsyncIterable<{ to: string }>;
  reply(parley: Parley, id: string, at: string, message: string, persona_id: string): Promise<unknown>;
  block(parley: Parley, id: string, at: string): Promise<unknown>;
  unblock(parley: Parley, id: string, at: string): Promise<unknown>;
  remove(parley: Parley, id: string): Promise<unknown>;
}

export const TICKETS: CaseKind = {
  kind: 'ticket',
  create: (parley) => parley.post('/ticket-forms', { body: { title: 'Returns' } }),
  attach: (parley, id, knowledge_id) =>
    parley.put('/ticket-form/{id}/knowledge', { path: { id }, body: { knowledge_id } }),
  list: (parley, id, query) => parley.list('/ticket-form/{id}/tickets', { path: { id }, query }),
  read: (parley, id, ticket_id) => parley.get('/ticket-form/{id}/tickets/{ticket_id}', { path: { id, ticket_id } }),
  update: (parley, id, ticket_id, status) =>
    parley.put('/ticket-form/{id}/tickets/{ticket_id}', { path: { id, ticket_id }, body: { status } }),
  history: (parley, id, ticket_id) =>
    parley.list('/ticket-form/{id}/tickets/{ticket_id}/history', { path: { id, ticket_id } }),
  reply: (parley, id, ticket_id, message, persona_id) =>
    parley.post('/ticket-form/{id}/tickets/{ticket_id}/reply', {
      path: { id, ticket_id },
      body: { message, persona_id },
    }),
  block: (parley, id, ticket_id) =>
    parley.put('/ticket-form/{id}/tickets/{ticket_id}/block', { path: { id, ticket_id } }),
  unblock: (parley, id, ticket_id) =>
    parley.delete('/ticket-form/{id}/tickets/{ticket_id}/block', { path: { id, ticket_id } }),
  remove: (parley, id) => parley.delete('/ticket-form/{id}', { path: { id } }),
};

export const EMAILS: CaseKind = {
  kind: 'email',
  create: (parley, alias) => parley.post('/email-inboxes', { body: { alias, title: 'Mail' } }),
  attach: (parley, id, knowledge_id) =>
    parley.put('/email-inbox/{id}/knowledge', { path: { id }, body: { knowledge_id } }),
  list: (parley, id, query) => parley.list('/email-inbox/{id}/emails', { path: { id }, query }),
  read: (parley, id, email_id) => parley.get('/email-inbox/{id}/emails/{email_id}', { path: { id, email_id } }),
  update: (parley, id, email_id, status) =>
    parley.put('/email-inbox/{id}/emails/{email_id}', { path: { id, email_id }, body: { status } }),
  history: (parley, id, email_id) =>
    parley.list('/email-inbox/{id}/emails/{email_id}/history', { path: { id, email_id } }),
  reply: (parley, id, email_id, message) =>
    parley.post('/email-inbox/{id}/emails/{email_id}/reply', { path: { id, email_id }, body: { message } }),
  block: (parley, id, email_id) => parley.put('/email-inbox/{id}/emails/{email_id}/block', { path: { id, email_id } }),
  unblock: (parley, id, email_id) =>
    parley.delete('/email-inbox/{id}/emails/{email_id}/block', { path: { id, email_id } }),
  remove: (parley, id) => parley.delete('/email-inbox/{id}', { path: { id } }),
};
