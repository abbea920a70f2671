import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { until } from '@parley/runtime/testing';
import { must } from './api.ts';
import type { EmailInbox, KnowledgeItem, Page, TicketForm } from './resources.ts';
import { shared } from './shared.ts';

const { a, b, mongo, faq } = await shared(async ({ a }) => {
  const faq = await a.faq('Returns', { 'How long may I return it?': 'You may return it for thirty days.' });
  return { faq: await a.train(faq) };
});

const unique = () => `in-${randomUUID().slice(0, 13)}`;
const attached = async (assistant: string) =>
  must(await a.api.get<Page<KnowledgeItem>>(`${assistant}/knowledge`)).items.map(({ id }) => id);

/** Attaches by one name and detaches by the other. */
async function attachesKnowledge(one: string, other: string) {
  must(await a.api.put(`${one}/knowledge`, { knowledge_id: faq.id }));
  expect(await attached(other)).toEqual([faq.id]);
  must(await a.api.del(`${other}/knowledge`, { knowledge_id: faq.id }));
  expect(await attached(one)).toEqual([]);
  must(await a.api.put(`${one}/knowledge`, { knowledge_id: faq.id }));
}

async function isDeleted(...paths: string[]) {
  for (const path of paths) {
    const body = { knowledge_id: faq.id };
    const answers = [
      await a.api.get(path),
      await a.api.patch(path, { title: 'Back' }),
      await a.api.del(path),
      await a.api.get(`${path}/knowledge`),
      await a.api.put(`${path}/knowledge`, body),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  }
}

test('a ticket form is created, changed, given knowledge by its public id, and deleted', async () => {
  const fields = [
    { name: 'Order', type: 'TEXT', required: true },
    { name: 'Reason', type: 'SELECT', defaultSelectValues: [{ value: 'size', label: 'Wrong size' }] },
  ];
  const form = must(await a.api.post<TicketForm>('/ticket-forms', { title: 'Returns', fields }));
  const [order, reason] = form.fields;
  const at = `/ticket-form/${form.public_id}`;
  const changed = must(
    await a.api.patch<TicketForm>(at, {
      fields: [
        { ...reason, name: 'Why?' },
        { name: 'Since', type: 'DATE' },
      ],
    }),
  );
  expect(changed.fields[0]).toEqual({ ...reason, name: 'Why?' });
  expect(changed.fields[1]!.id).not.toBe(order!.id);
  await attachesKnowledge(at, `/ticket-form/${form.id}`);
  expect(must(await a.api.del<TicketForm>(at))).toEqual(changed);
  await isDeleted(at, `/ticket-form/${form.id}`);
  expect(must(await a.api.get<TicketForm[]>('/ticket-forms'))).toEqual([]);
});

test('an email inbox is created, changed, given knowledge by its alias, and deleted', async () => {
  const body = { alias: unique(), title: 'Returns', description: 'Of parcels.' };
  const inbox = must(await a.api.post<EmailInbox>('/email-inboxes', body));
  const at = `/email-inbox/${inbox.alias}`;
  const changed = must(await a.api.patch<EmailInbox>(at, { title: 'Parcels', description: null }));
  expect(changed).toEqual({ id: inbox.id, alias: inbox.alias, title: 'Parcels' });
  await attachesKnowledge(at.toUpperCase().replace('/EMAIL-INBOX', '/email-inbox'), `/email-inbox/${inbox.id}`);
  expect(must(await a.api.del<EmailInbox>(at))).toEqual(changed);
  await isDeleted(at, `/email-inbox/${inbox.id}`);
  expect(must(await a.api.get<EmailInbox[]>('/email-inboxes'))).toEqual([]);
});

test('a freed alias is a conflict for another account, and free for its own', async () => {
  const [deleted, left, taken] = [unique(), unique(), unique()];
  const create = (account: typeof a, alias: string) =>
    account.api.post<EmailInbox>('/email-inboxes', { alias, title: 'Inbox' });
  must(await create(a, deleted));
  must(await create(a, left));
  must(await a.api.del(`/email-inbox/${deleted}`));
  must(await a.api.patch(`/email-inbox/${left}`, { alias: taken }));
  const theirs = must(await create(b, unique()));
  for (const alias of [deleted, left, taken]) {
    for (const refused of [await create(b, alias), await b.api.patch(`/email-inbox/${theirs.alias}`, { alias })])
      expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining('alias') } });
  }
  expect(must(await b.api.get<EmailInbox[]>('/email-inboxes'))).toEqual([theirs]);
  for (const alias of [deleted, left]) expect(must(await create(a, alias)).alias).toBe(alias);
  expect((await create(a, taken)).status).toBe(409);
});

test('the deletion of an assistant is published, and the assistant purged', async () => {
  const chatbot = await a.chatbot(faq);
  await a.ask(chatbot, 'How long may I return it?');
  must(await a.api.del(`/chatbot/${chatbot.public_id}`));
  await isDeleted(`/chatbot/${chatbot.id}`);
  expect((await a.api.post(`/chatbot/${chatbot.id}/reply`, { message: 'Hello?' })).status).toBe(404);
  const stored = mongo.db('parley_assistants').collection<{ _id: string }>('assistants');
  const purged = { _id: chatbot.id, outbox: { $size: 0 }, purged_at: { $exists: true } };
  await until(() => stored.findOne(purged));
});
