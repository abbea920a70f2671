/** The fields of all bodies: what is required, which lengths and types they have, and what null means. */
import { describe, expect, test } from '@jest/globals';
import type { Answer } from '../e2e/api.ts';
import { emoji, expectRefused } from './check.ts';
import { a, mine, storesNothing } from './given.ts';
import { fill, HOOK, unique } from './operations.ts';

const { api } = a;
const { ids } = mine;

interface Field {
  name: string;
  /** May not be missing or null. */
  required?: true;
  /** Like `required`, but a change may leave it out. */
  kept?: true;
  /** May be missing or null, but not blank. */
  notBlank?: true;
  /** Values of the wrong type or shape. */
  wrong?: unknown[];
  /** The longest accepted value, by length, and the most. */
  longest?: [most: number, value: (length: number) => unknown];
}

interface Body {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  /** A valid body without optional fields. */
  body: () => Record<string, unknown>;
  fields: Field[];
}

const NO_TEXT = [7, true, {}, [7], ['a', null], ['a']];
const NO_LIST = ['a', 7, true, {}];
const text = (name: string, most: number, more: Partial<Field> = {}): Field => ({
  name,
  wrong: NO_TEXT,
  longest: [most, emoji],
  ...more,
});
const title = text('title', 200, { required: true });
const address = (name: string, more: Partial<Field> = {}): Field => ({
  name,
  wrong: NO_TEXT,
  longest: [2_048, (length) => 'https://example.com/'.padEnd(length, 'a')],
  ...more,
});
const choice = (name: string, more: Partial<Field> = {}): Field => ({
  name,
  wrong: [...NO_TEXT, 'nonsense', ' '],
  ...more,
});
const domains: Field = { name: 'allowed_domains', wrong: NO_LIST };
const change = (fields: Field[]): Field[] =>
  fields.map(({ required, ...field }) => (required ? { ...field, kept: true } : field));
const knowledgeId: Field = { name: 'knowledge_id', required: true, wrong: [...NO_TEXT, 'x', ids.faq.slice(1)] };
const attach = (assistant: string): Body[] =>
  (['PUT', 'DELETE'] as const).map((method) => ({
    method,
    path: `${assistant}/knowledge`,
    body: () => ({}),
    fields: [knowledgeId],
  }));

/** Extensions of the changes of all assistants. */
const ANSWERS: Field[] = [
  text('greeting', 500, { notBlank: true }),
  text('tone', 200, { notBlank: true }),
  text('no_evidence_message', 500, { notBlank: true }),
  text('low_confidence_message', 500, { notBlank: true }),
  { name: 'faq_first', wrong: ['yes', 7, {}, [true]] },
];

/** Extensions of chatbots: what visitors get of them. */
const APPEARANCE: Field[] = [
  {
    name: 'suggestions',
    wrong: [...NO_LIST, [' '], ['x'.repeat(101)], [7]],
    longest: [4, (length) => Array(length).fill('Why?')],
  },
  choice('colour', { wrong: [...NO_TEXT, 'red', '#12345', '#1234567', '336699', ''] }),
  choice('ticket_form_id', { wrong: [...NO_TEXT, 'no!', ids.chatbot] }),
  { name: 'visitor_messages_per_day', wrong: ['7', 0, -1, 1.5, 1_000_001, true, [7]] },
];

const FORM = [title, domains, { name: 'fields', wrong: NO_LIST }];
const INBOX = [
  text('alias', 64, { required: true, longest: [64, (n) => unique().padEnd(n, 'a')] }),
  title,
  text('description', 2_000),
];

const BODIES: Body[] = [
  {
    method: 'POST',
    path: '/knowledge/website',
    body: () => ({ website_url: 'https://example.com/' }),
    fields: [address('website_url', { required: true })],
  },
  {
    method: 'POST',
    path: '/knowledge/video',
    body: () => ({ video_url: 'https://youtu.be/dQw4w9WgXcQ', video_type: 'YOUTUBE' }),
    fields: [
      address('video_url', {
        required: true,
        longest: [2_048, (length) => 'https://youtu.be/dQw4w9WgXcQ?si='.padEnd(length, 'a')],
      }),
      choice('video_type', { required: true }),
    ],
  },
  {
    method: 'POST',
    path: '/knowledge/document',
    body: () => ({ file_type: 'text/plain' }),
    fields: [choice('file_type', { required: true }), { name: 'file_name', wrong: NO_TEXT }],
  },
  {
    method: 'POST',
    path: '/knowledge/faq',
    body: () => ({ title: 'T' }),
    fields: [title, text('description', 2_000)],
  },
  {
    method: 'POST',
    path: '/knowledge/{faq}/faq-item',
    body: () => ({ question: 'Q', answer: 'A' }),
    fields: [
      text('question', 1_000, { required: true }),
      text('answer', 50_000, { required: true }),
      address('source_url'),
      { name: 'categories', wrong: NO_LIST, longest: [20, (n) => Array.from({ length: n }, (_, i) => `c${i}`)] },
      { name: 'categories', longest: [64, (length) => [emoji(length)]] },
    ],
  },
  {
    method: 'POST',
    path: '/chatbots',
    body: () => ({ title: 'T' }),
    fields: [title, domains, text('greeting', 500, { notBlank: true }), ...APPEARANCE],
  },
  {
    method: 'PATCH',
    path: '/chatbot/{chatbot}',
    body: () => ({}),
    fields: [...change([title, domains]), ...ANSWERS, ...APPEARANCE],
  },
  {
    method: 'POST',
    path: '/chatbot/{chatbot}/reply',
    body: () => ({ message: 'Hello?' }),
    fields: [text('message', 10_000, { required: true }), { name: 'session_id', wrong: NO_TEXT }],
  },
  ...attach('/chatbot/{chatbot}'),
  ...attach('/ticket-form/{form}'),
  ...attach('/email-inbox/{inbox}'),
  { method: 'POST', path: '/ticket-forms', body: () => ({ title: 'T' }), fields: FORM },
  { method: 'PATCH', path: '/ticket-form/{form}', body: () => ({}), fields: [...change(FORM), ...ANSWERS] },
  {
    method: 'PUT',
    path: '/ticket-form/{form}/tickets/{ticket}',
    body: () => ({ status: 'open', priority: 'medium' }),
    fields: [choice('status'), choice('priority')],
  },
  {
    method: 'POST',
    path: '/ticket-form/{form}/tickets/{ticket}/reply',
    body: () => ({ message: 'Hi.' }),
    fields: [text('message', 10_000, { required: true }), choice('persona_id')],
  },
  { method: 'POST', path: '/email-inboxes', body: () => ({ alias: unique(), title: 'T' }), fields: INBOX },
  { method: 'PATCH', path: '/email-inbox/{inbox}', body: () => ({}), fields: [...change(INBOX.slice(1)), ...ANSWERS] },
  {
    method: 'PUT',
    path: '/email-inbox/{inbox}/emails/{email}',
    body: () => ({ status: 'open', priority: 'medium' }),
    fields: [choice('status'), choice('priority')],
  },
  {
    method: 'POST',
    path: '/email-inbox/{inbox}/emails/{email}/reply',
    body: () => ({ message: 'Hi.' }),
    fields: [text('message', 10_000, { required: true })],
  },
  {
    method: 'POST',
    path: '/personas',
    body: () => ({ name: 'P' }),
    fields: [text('name', 200, { required: true }), address('image_url')],
  },
  {
    method: 'POST',
    path: '/webhooks',
    body: () => HOOK,
    fields: [
      address('url', { required: true }),
      { name: 'events', required: true, wrong: ['chat.begun', 7, {}, [], [7], ['nonsense']] },
      { name: 'enabled', wrong: ['true', 7, {}] },
    ],
  },
  {
    method: 'PATCH',
    path: '/webhook/{webhook}',
    body: () => ({}),
    fields: [
      address('url', { kept: true }),
      { name: 'events', kept: true, wrong: ['chat.begun', [], ['nonsense']] },
      { name: 'enabled', kept: true, wrong: ['true', 7] },
    ],
  },
  {
    method: 'POST',
    path: '/api-keys',
    body: () => ({ name: 'k', scopes: [] }),
    fields: [
      text('name', 200, { required: true }),
      { name: 'scopes', required: true, wrong: ['CHATBOTS_WRITE', 7, {}, [7], ['nonsense']] },
      { name: 'expires_at', wrong: NO_TEXT },
    ],
  },
];

const BLANK = ['', ' ', '\t\n', '\u00a0\u3000'];

describe.each(BODIES)('$method $path', ({ method, path, body, fields }) => {
  const send = (more: object): Promise<Answer<unknown>> =>
    api.request(method, fill(path, ids), { body: { ...body(), ...more } });
  const refusals = fields.map((field) => {
    const { name, required, kept, notBlank, wrong = [], longest } = field;
    const isText = longest !== undefined && typeof longest[1](1) === 'string';
    const [most = 0, ofLength = () => undefined] = longest ?? [];
    const values = [
      ...(required ? [undefined] : []),
      ...(required || kept ? [null] : []),
      ...((required || kept || notBlank) && isText ? BLANK : []),
      ...wrong,
    ];
    return { name, values, over: longest && (() => ofLength(most + 1)), most };
  });

  storesNothing([], () => {
    for (const { name, values, over, most } of refusals) {
      if (values.length > 0) {
        test(`refuses a ${name} that is missing, blank, or of the wrong type, and names it`, async () => {
          for (const value of values) {
            const refused = await send({ [name]: value });
            expect({ value, status: refused.status }).toEqual({ value, status: 400 });
            expectRefused(refused, 400, name);
          }
        });
      }
      if (over) {
        test(`refuses a ${name} that is longer than ${most}, and names it`, async () => {
          expectRefused(await send({ [name]: over() }), 400, name);
        });
      }
    }
  });

  for (const { name, required, kept, longest } of fields) {
    if (longest) {
      const [most, ofLength] = longest;
      test(`accepts a ${name} of ${most}`, async () => {
        expect(await send({ [name]: ofLength(most) })).toMatchObject({ status: 200 });
      });
    }
    if (!required && !kept && longest) {
      test(`takes null for ${name} as if it were absent`, async () => {
        expect(await send({ [name]: null })).toMatchObject({ status: 200 });
      });
    }
  }

  test('ignores extra fields, but in an update of a ticket or an email', async () => {
    if (path.endsWith('/knowledge')) return;
    const strict = /tickets|emails/.test(path) && method === 'PUT';
    const answer = await send({ flavour: 'mint' });
    expect({ status: answer.status, message: answer.body.message }).toMatchObject({ status: strict ? 400 : 200 });
  });
});
