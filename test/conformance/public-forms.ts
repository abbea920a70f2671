/** Ticket forms as pages show them, and tickets as those who opened them see them. */
import { describe, expect, test } from '@jest/globals';
import { must } from '../e2e/api.ts';
import type { Thread, TicketForm } from '../e2e/resources.ts';
import { publicApi, visitorOf } from '../e2e/visitor.ts';
import { expectData, expectDone, expectRefused, TIME, UUID } from './check.ts';
import { a, baseUrl, mine } from './given.ts';
import { FORM_OPERATIONS, fill } from './operations.ts';

const PAGE = 'https://www.example.com';
const api = publicApi(baseUrl);

const FIELDS = [
  { name: 'Order', type: 'TEXT', required: true },
  {
    name: 'Sizes',
    type: 'MULTI_SELECT',
    defaultSelectValues: [
      { value: 's', label: 'S' },
      { value: 'm', label: 'M' },
    ],
  },
  { name: 'Urgent', type: 'CHECKBOX' },
];

/** A form that one page may show, and a ticket that was opened there. */
async function opened(more: object = {}) {
  const body = { title: 'Returns', allowed_domains: ['www.example.com'], fields: FIELDS };
  const form = must(await a.api.post<TicketForm>('/ticket-forms', body));
  const [order, sizes, urgent] = form.fields.map(({ id }) => id);
  const answers = [
    { field_id: order, value: '17' },
    { field_id: sizes, value: ['m', 's'] },
    { field_id: urgent, value: true },
  ];
  const filled = { email: 'ann@example.com', name: 'Ann', answers, ...more };
  const path = `/public/v1/ticket-forms/${form.public_id}`;
  const headers = { origin: PAGE };
  const ticket = must(await api.request<Ticket>('POST', `${path}/tickets`, { body: filled, headers }));
  return { form, path, filled, ticket, own: `/public/v1/tickets/${ticket.token}` };
}

interface Ticket {
  id: string;
  token: string;
}

const headers = { origin: PAGE };

test('a form is shown, filled in, and becomes a ticket with an answer a line', async () => {
  const { form, path, ticket, own } = await opened();
  expectData(await api.request('GET', path, { headers }), {
    ...{ public_id: form.public_id, title: 'Returns', fields: form.fields },
  });
  expect(ticket).toEqual({ id: UUID, token: expect.stringMatching(/^[\w-]{20,}$/) });
  const said = 'Order: 17\nSizes: m, s\nUrgent: true';
  const at = `/ticket-form/${form.id}/tickets/${ticket.id}`;
  expect(must(await a.api.get<Thread>(at)).conversation).toMatchObject([{ role: 'user', message: said }]);
  must(await a.api.post(`${at}/reply`, { message: 'On its way.' }));
  must(await a.api.put(at, { status: 'resolved' }));
  expectData(await api.request('GET', own, { headers }), {
    ...{ id: ticket.id, title: 'Returns', status: 'resolved', created_at: TIME, updated_at: TIME },
    conversation: [
      { role: 'user', message: said, created_at: TIME },
      { role: 'assistant', message: 'On its way.', created_at: TIME },
    ],
  });
  expectDone(await api.request('POST', `${own}/messages`, { body: { message: 'Thanks.' }, headers }));
  expect(must(await a.api.get<Thread>(at))).toMatchObject({ status: 'open', conversation: { length: 3 } });
});

test('what was said to a chatbot comes along', async () => {
  const visitor = visitorOf(baseUrl, mine.chatbot.public_id);
  const { message } = await visitor.told('When is the shop open?');
  const { form, ticket } = await opened({ conversation: visitor.token() });
  const { conversation } = must(await a.api.get<Thread>(`/ticket-form/${form.id}/tickets/${ticket.id}`));
  const first = message.split('\n')[0];
  expect(conversation![0]!.message).toContain(`\n\nVisitor: When is the shop open?\nAssistant: ${first}`);
});

test('what does not fit the form is refused by the name of its field, and no ticket is opened', async () => {
  const { form, path, filled } = await opened();
  const [order, sizes, urgent] = filled.answers;
  const send = (body: object) => api.request('POST', `${path}/tickets`, { body, headers });
  const wrong: [object, string][] = [
    [{ ...filled, email: 'ann' }, 'email'],
    [{ ...filled, answers: [] }, 'Order'],
    [{ ...filled, answers: [{ ...order, value: 'a\nb' }] }, 'Order'],
    [{ ...filled, answers: [order, { ...sizes, value: ['xl'] }] }, 'Sizes'],
    [{ ...filled, answers: [order, { ...urgent, value: 'yes' }] }, 'Urgent'],
    [{ ...filled, answers: [order, order] }, 'answers'],
    [{ ...filled, answers: [order, { field_id: form.id, value: 'x' }] }, 'answers'],
    [{ ...filled, conversation: 'nonsense' }, 'conversation'],
  ];
  for (const [body, says] of wrong) expectRefused(await send(body), 400, says);
  expect((await a.api.all(`/ticket-form/${form.id}/tickets`)).length).toBe(1);
});

test('a blocked person neither opens another ticket nor writes in theirs', async () => {
  const { form, path, filled, ticket, own } = await opened();
  must(await a.api.put(`/ticket-form/${form.id}/tickets/${ticket.id}/block`));
  expectRefused(await api.request('POST', `${path}/tickets`, { body: filled, headers }), 403, 'blocked');
  expectRefused(await api.request('POST', `${own}/messages`, { body: { message: 'Hi.' }, headers }), 403, 'blocked');
});

describe.each(FORM_OPERATIONS)('$method $path', ({ method, path, body }) => {
  const send = (ids: object, sent: { body?: unknown; headers?: Record<string, string> } = {}) =>
    api.request(method, fill(path, ids), { ...(body && { body: body() }), headers, ...sent });
  const known = opened().then(({ form, ticket }) => ({ publicForm: form.public_id, ticketToken: ticket.token }));

  test('answers only pages that may show the form, and no other method', async () => {
    for (const origin of ['https://example.com', 'null'])
      expectRefused(await send(await known, { headers: { origin } }), 403, 'page');
    const preflight = { origin: PAGE, 'access-control-request-method': method };
    const ahead = await api.request('OPTIONS', fill(path, await known), { headers: preflight });
    expect([ahead.status, ahead.headers.get('access-control-allow-origin')]).toEqual([204, PAGE]);
    expect((await api.request('DELETE', fill(path, await known), { headers })).status).toBe(405);
  });

  test('refuses what is unknown or malformed', async () => {
    const { ticketToken } = await known;
    const unknown = { publicForm: 'AbCdEfGhIjKl', ticketToken: `${ticketToken.slice(0, -4)}AAAA` };
    expectRefused(await send(unknown), 404);
    expectRefused(await send({ publicForm: 'no!', ticketToken: 'no!' }), 400);
  });

  if (body)
    test('refuses a body that is too large, of another type or no JSON object', async () => {
      const huge = JSON.stringify({ message: 'x'.repeat(1024 * 1024) });
      expectRefused(await send(await known, { body: huge }), 413);
      const typed = { ...headers, 'content-type': 'text/plain' };
      expectRefused(await send(await known, { body: 'x', headers: typed }), 415);
      expectRefused(await send(await known, { body: '[]' }), 400);
    });
});
