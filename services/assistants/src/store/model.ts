import type { Owned, WithOutbox } from '@parley/runtime/mongo';
import type { AnswerSettings } from '../domain/answer-settings.ts';
import type { Appearance } from '../domain/appearance.ts';
import type { CaseSettings } from '../domain/case-settings.ts';
import type { FormField } from '../domain/form-fields.ts';

/** The fields of every assistant. Settings that were never changed are absent. */
interface Common extends Owned, WithOutbox, Partial<AnswerSettings> {
  _id: string;
  account: string;
  title: string;
  knowledge: Attachment[];
  /** The last operation that detached an item. */
  detached_by?: string;
  /** Bytes of what lists show of it, if they are many. */
  large?: number | null;
  /** The last operation that changed the assistant's own fields. */
  updated_by?: string;
  created_at: Date;
  deleted_at: Date | null;
  deleted_by?: string;
}

export interface Attachment {
  item: string;
  at: Date;
}

/** An assistant that a web page can show: a chatbot or a ticket form. */
interface Embeddable extends Common {
  public_id: string;
  allowed_domains: string[];
}

/** Settings that were never changed are absent. */
export interface ChatbotDoc extends Embeddable, Partial<Appearance> {
  kind: 'chatbot';
  /** The operations that made identity secrets, the current one last; the secrets derive from them. */
  identity_operations?: string[];
}

export interface TicketFormDoc extends Embeddable, Partial<CaseSettings> {
  kind: 'ticket_form';
  fields: FormField[];
}

export interface EmailInboxDoc extends Common, Partial<CaseSettings> {
  kind: 'email_inbox';
  alias: string;
  /** The alias before the last change. */
  former_alias?: string;
  description: string | null;
  /** Inserted after its claim on the alias had expired, and therefore deleted from the start. */
  late?: true;
}

export type AssistantDoc = ChatbotDoc | TicketFormDoc | EmailInboxDoc;
export type Kind = AssistantDoc['kind'];
export type DocOf<K extends Kind> = Extract<AssistantDoc, { kind: K }>;
/** An assistant itself, without what is attached to it, which may be much more. */
export type Bare<K extends Kind> = { [One in K]: Omit<DocOf<One>, 'knowledge'> }[K];

/** A caller's input for a new assistant. */
export type NewChatbot = Pick<ChatbotDoc, 'title' | 'allowed_domains'> & Partial<Appearance & AnswerSettings>;
export type NewTicketForm = Pick<TicketFormDoc, 'title' | 'allowed_domains' | 'fields'> & Partial<CaseSettings>;
export type NewEmailInbox = Pick<EmailInboxDoc, 'title' | 'alias' | 'description'> & Partial<CaseSettings>;

/** A caller's change of an assistant. */
export type Change<New> = Partial<New & AnswerSettings>;

/** The kinds in words. */
export const KIND_NAMES: Readonly<Record<Kind, { one: string; many: string }>> = {
  chatbot: { one: 'chatbot', many: 'chatbots' },
  ticket_form: { one: 'ticket form', many: 'ticket forms' },
  email_inbox: { one: 'email inbox', many: 'email inboxes' },
};
