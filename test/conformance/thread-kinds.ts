/** In what tickets and emails differ, and how tests make them. */
import { expect } from '@jest/globals';
import { must } from '../e2e/api.ts';
import type { Thread } from '../e2e/resources.ts';
import { a, mine, seed } from './given.ts';
import { type Scope, unique } from './operations.ts';
import { opened, type SeedRow } from './seed.ts';

const { api } = a;
const { ids } = mine;

export interface ThreadKind {
  kind: SeedRow['kind'];
  target: string;
  /** The list of the parents, the path of one, and the list of its threads. */
  parents: string;
  parent: string;
  threads: string;
  write: Scope;
  /** The parent's public id or alias. */
  other: string;
  parentId: string;
  id: string;
  otherFields: Record<string, unknown>;
  createParent(): Record<string, unknown>;
}

/** A parent of its own for a group of tests. */
export interface Opened {
  parent: { id: string; [field: string]: unknown };
  /** The path of the list of threads. */
  list: string;
  open(rows: Partial<SeedRow>[]): Promise<string[]>;
}

export async function newParent({ kind, parents, parent: path, threads, createParent }: ThreadKind): Promise<Opened> {
  const parent = must(await api.post<Opened['parent']>(parents, createParent()));
  const row = { kind, parent: { id: parent.id }, email: 'eve@example.com', message: 'Hello?' };
  const open = (rows: Partial<SeedRow>[]) =>
    opened(
      seed,
      rows.map((own) => ({ ...row, ...(kind === 'email' && { subject: 'Tea' }), ...own })),
    );
  return { parent, list: `${path}/${parent.id}/${threads}`, open };
}

/** Without what became of the mails. */
export const conversationAt = async (at: string) =>
  must(await api.get<Thread>(at)).conversation!.map(({ role, message }) => ({ role, message }));

export const TICKETS: ThreadKind = {
  kind: 'ticket',
  target: 'TICKET',
  parents: '/ticket-forms',
  parent: '/ticket-form',
  threads: 'tickets',
  write: 'TICKETS_WRITE',
  other: 'public_id',
  parentId: ids.form,
  id: ids.ticket,
  otherFields: {},
  createParent: () => ({ title: 'Form' }),
};

export const EMAILS: ThreadKind = {
  kind: 'email',
  target: 'EMAIL',
  parents: '/email-inboxes',
  parent: '/email-inbox',
  threads: 'emails',
  write: 'EMAILS_WRITE',
  other: 'alias',
  parentId: ids.inbox,
  id: ids.email,
  otherFields: { subject: expect.any(String), from_email: expect.any(String) },
  createParent: () => ({ alias: unique(), title: 'Inbox' }),
};
