import { describe, expect, test } from '@jest/globals';
import { must } from '../e2e/api.ts';
import type { ApiKey } from '../e2e/resources.ts';
import { expectRefused } from './check.ts';
import { a } from './given.ts';
import { fill, OPERATIONS, SCOPES } from './operations.ts';
import { unknownIds } from './populated.ts';

const { api } = a;

const READ_KNOWLEDGE = [
  'GET /knowledge',
  'GET /knowledge/{faq}',
  'GET /knowledge/{website}/sub-pages',
  'GET /knowledge/{faq}/faq-items',
  'GET /knowledge/{faq}/sources',
  'GET /knowledge/{document}/file',
  'GET /chatbot/{chatbot}/knowledge',
  'GET /ticket-form/{form}/knowledge',
  'GET /email-inbox/{inbox}/knowledge',
];
const READ_CHATBOTS = ['GET /chatbots', 'GET /chatbot/{chatbot}'];
const READ_FORMS = ['GET /ticket-forms', 'GET /ticket-form/{form}'];
const READ_INBOXES = ['GET /email-inboxes', 'GET /email-inbox/{inbox}'];
const READ_TICKETS = [
  ...READ_FORMS,
  'GET /ticket-form/{form}/tickets',
  'GET /ticket-form/{form}/tickets/{ticket}',
  'GET /ticket-form/{form}/tickets/{ticket}/history',
  'GET /ticket-form/{form}/tickets/{ticket}/evidence',
  'GET /ticket-form/{form}/tickets/{ticket}/raw',
  'GET /ticket-form/{form}/tickets/{ticket}/attachments/{ticket}',
];
const READ_EMAILS = [
  ...READ_INBOXES,
  'GET /email-inbox/{inbox}/emails',
  'GET /email-inbox/{inbox}/emails/{email}',
  'GET /email-inbox/{inbox}/emails/{email}/history',
  'GET /email-inbox/{inbox}/emails/{email}/evidence',
  'GET /email-inbox/{inbox}/emails/{email}/raw',
  'GET /email-inbox/{inbox}/emails/{email}/attachments/{email}',
];

/** Operations allowed to a restricted key with one scope, besides `GET /me`. */
const MAY: Record<string, string[]> = {
  KNOWLEDGE_READ: READ_KNOWLEDGE,
  KNOWLEDGE_WRITE: [
    ...READ_KNOWLEDGE,
    'POST /knowledge/website',
    'POST /knowledge/video',
    'POST /knowledge/document',
    'POST /knowledge/{document}/finalize',
    'GET /knowledge/{document}/finalize',
    'POST /knowledge/faq',
    'POST /knowledge/{faq}/faq-item',
    'DELETE /knowledge/{faq}',
    'DELETE /knowledge/{faq}/faq-item/{faqItem}',
    'PUT /knowledge/{faq}/train',
    'PATCH /knowledge/{website}',
  ],
  CHATS_READ: [
    ...READ_CHATBOTS,
    'GET /chatbot/{chatbot}/chats',
    'GET /chatbot/{chatbot}/chats/{chat}',
    'GET /chatbot/{chatbot}/chats/{chat}/evidence',
  ],
  CHATS_REPLY: [...READ_CHATBOTS, 'POST /chatbot/{chatbot}/reply'],
  TICKETS_READ: READ_TICKETS,
  EMAILS_READ: READ_EMAILS,
  CHATBOTS_WRITE: [
    ...READ_CHATBOTS,
    'GET /chatbot/{chatbot}/embed',
    'PUT /chatbot/{chatbot}/knowledge',
    'DELETE /chatbot/{chatbot}/knowledge',
  ],
  TICKETFORMS_WRITE: [...READ_FORMS, 'PUT /ticket-form/{form}/knowledge', 'DELETE /ticket-form/{form}/knowledge'],
  EMAILINBOXES_WRITE: [...READ_INBOXES, 'PUT /email-inbox/{inbox}/knowledge', 'DELETE /email-inbox/{inbox}/knowledge'],
  TICKETS_WRITE: READ_TICKETS,
  EMAILS_WRITE: READ_EMAILS,
  API_KEYS_WRITE: [],
  ACCOUNT_WRITE: [],
};

const create = (body: object, by = api) => by.post<ApiKey>('/api-keys', { name: 'k', ...body });
const having = ({ key }: { key: string }) => api.as(`Bearer ${key}`);
const restrictedTo = async (...scopes: string[]) => having(must(await create({ scopes, restricted: true })));

describe('a restricted key', () => {
  test.each(Object.entries(MAY))('with %s may do that, and nothing else', async (scope, may) => {
    const by = await restrictedTo(scope);
    const unknown = unknownIds();
    const passed: string[] = [];
    const expected = OPERATIONS.filter((row) => row.scope === scope).map(({ method, path }) => `${method} ${path}`);
    for (const { method, path, body } of OPERATIONS) {
      if (path === '/api-keys' && method === 'POST') continue;
      const { status } = await by.request(method, fill(path, unknown), { ...(body && { body: body() }) });
      if (status !== 403) passed.push(`${method} ${path}`);
    }
    const all = [...may, ...expected, 'GET /me'].filter((operation) => operation !== 'POST /api-keys');
    expect(passed.sort()).toEqual(all.sort());
  });

  test('says so, in /me and in lists', async () => {
    const made = must(await create({ scopes: ['CHATS_REPLY'], restricted: true }));
    expect(made).toMatchObject({ scopes: ['CHATS_REPLY'], restricted: true });
    const { key } = must(await having(made).get<{ key: object }>('/me'));
    expect(key).toMatchObject({ id: made.id, scopes: ['CHATS_REPLY'], restricted: true });
    const listed = (await api.all<ApiKey>('/api-keys')).find(({ id }) => id === made.id);
    expect(listed).toMatchObject({ scopes: ['CHATS_REPLY'], restricted: true });
  });

  test('creates only restricted keys, with scopes that it holds', async () => {
    const by = await restrictedTo('API_KEYS_WRITE', 'CHATS_READ');
    expectRefused(await create({ scopes: [] }, by), 403, 'restricted');
    expectRefused(await create({ scopes: ['CHATS_REPLY'], restricted: true }, by), 403, 'CHATS_REPLY');
    expect(must(await create({ scopes: ['CHATS_READ'], restricted: true }, by)).restricted).toBe(true);
  });

  test('alone has the scopes for reading', async () => {
    for (const scope of Object.keys(MAY).filter((name) => !(SCOPES as readonly string[]).includes(name)))
      expectRefused(await create({ scopes: [scope] }), 400, 'scopes', scope, 'restricted');
  });

  test.each([['true'], [1], [[]], [{}]])('is not asked for with %j', async (restricted) => {
    expectRefused(await create({ scopes: [], restricted }), 400, 'restricted');
  });
});
