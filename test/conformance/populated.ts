import { randomUUID } from 'node:crypto';
import type { Account } from '../e2e/account.ts';
import { must } from '../e2e/api.ts';
import type { ApiKey, Chatbot, EmailInbox, FaqItem, NewDocument, Page, Persona, TicketForm } from '../e2e/resources.ts';
import { FILES } from './files.ts';
import { HOOK, ID_NAMES, type Ids, unique } from './operations.ts';
import { opened, type Seed } from './seed.ts';

/** Resources of every kind in one account. Every list has at least two items, so that it can have a cursor. */
export interface Populated {
  account: Account;
  ids: Ids;
  chatbot: Chatbot;
  form: TicketForm;
  inbox: EmailInbox;
  session: string;
  /** A second trained FAQ. */
  otherFaq: string;
  /** The address behind the tickets and the emails. */
  email: string;
}

export const QUESTION = 'When is the shop open?';
export const ANSWER = 'The shop opens at nine in the morning.';

export async function populated(account: Account, seed: Seed): Promise<Populated> {
  const knowledge = await withKnowledge(account);
  const { api } = account;
  const chatbot = await account.chatbot({ id: knowledge.otherFaq }, { id: knowledge.ids.faq });
  const form = must(await api.post<TicketForm>('/ticket-forms', { title: 'Contact' }));
  const inbox = must(await api.post<EmailInbox>('/email-inboxes', { alias: unique(), title: 'Mail' }));
  for (const at of [`/ticket-form/${form.id}`, `/email-inbox/${inbox.id}`])
    for (const id of [knowledge.otherFaq, knowledge.ids.faq])
      must(await api.put(`${at}/knowledge`, { knowledge_id: id }));
  await account.ask(chatbot, QUESTION);
  const { id: chat, session_id: session } = await account.ask(chatbot, QUESTION);
  await account.ask(chatbot, QUESTION, session);
  const threads = await withThreads(account, seed, form, inbox);
  const people = await withPeople(account);
  const hooks = await withWebhooks(account);
  const ids = {
    ...knowledge.ids,
    chatbot: chatbot.id,
    chat,
    form: form.id,
    inbox: inbox.id,
    ...threads.ids,
    ...people,
    ...hooks,
  };
  return { account, ids, chatbot, form, inbox, session, otherFaq: knowledge.otherFaq, email: threads.email };
}

async function withKnowledge(account: Account) {
  const { api } = account;
  const otherFaq = await account.faq('Delivery', { 'When does a parcel arrive?': 'A parcel arrives in three days.' });
  const faq = await account.faq('Opening hours', {
    'Is there a car park?': 'The car park is free.',
    [QUESTION]: ANSWER,
  });
  const website = await account.website('https://example.com/');
  const video = must(
    await api.post<{ id: string }>('/knowledge/video', {
      video_url: 'https://youtu.be/dQw4w9WgXcQ',
      video_type: 'YOUTUBE',
    }),
  );
  const document = must(
    await api.post<NewDocument>('/knowledge/document', { file_type: 'text/plain', file_name: 'tea.txt' }),
  );
  const uploaded = await fetch(document.upload_url, { method: 'PUT', body: FILES.text });
  if (!uploaded.ok) throw new Error(`The upload got ${uploaded.status}: ${await uploaded.text()}`);
  must(await api.post(`/knowledge/${document.id}/finalize`));
  await Promise.all([account.train(otherFaq), account.train(faq)]);
  const items = must(await api.get<Page<FaqItem>>(`/knowledge/${faq.id}/faq-items`)).items;
  const ids = { faq: faq.id, website: website.id, video: video.id, document: document.id, faqItem: items[0]!.id };
  return { ids, otherFaq: otherFaq.id };
}

/** Two tickets and two emails; the history of each first one has two changes. */
async function withThreads({ api }: Account, seed: Seed, form: TicketForm, inbox: EmailInbox) {
  const email = `${unique()}@example.com`;
  const row = { email, name: 'Eve', message: QUESTION };
  const [ticket = '', , mail = ''] = await opened(seed, [
    { kind: 'ticket', parent: { id: form.id }, ...row },
    { kind: 'ticket', parent: { id: form.id }, ...row },
    { kind: 'email', parent: { id: inbox.id }, subject: 'Hours', ...row },
    { kind: 'email', parent: { id: inbox.id }, subject: 'Hours again', ...row },
  ]);
  for (const at of [`/ticket-form/${form.id}/tickets/${ticket}`, `/email-inbox/${inbox.id}/emails/${mail}`])
    for (const status of ['assigned', 'open']) must(await api.put(at, { status }));
  return { email, ids: { ticket, email: mail } };
}

async function withPeople({ api }: Account) {
  const [persona] = [await newPersona(), await newPersona()];
  const apiKey = must(await api.post<ApiKey>('/api-keys', { name: 'spare', scopes: [] }));
  return { persona: persona.id, apiKey: apiKey.id };

  async function newPersona() {
    return must(await api.post<Persona>('/personas', { name: 'Ada' }));
  }
}

/** Two webhooks, each of which was tested. */
async function withWebhooks({ api }: Account) {
  const made: { webhook: string; delivery: string }[] = [];
  while (made.length < 2) {
    const { id: webhook } = must(await api.post<{ id: string }>('/webhooks', { ...HOOK, enabled: false }));
    const { id: delivery } = must(await api.post<{ id: string }>(`/webhook/${webhook}/test`));
    must(await api.post(`/webhook/${webhook}/test`));
    made.push({ webhook, delivery });
  }
  return made[0]!;
}

/** Well-formed ids that do not exist. */
export const unknownIds = (): Ids => Object.fromEntries(ID_NAMES.map((name) => [name, randomUUID()])) as Ids;
