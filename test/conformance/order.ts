import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { RequestOptions } from '../e2e/api.ts';
import { a, bare, mine, theirs } from './given.ts';

const NO_KEY = undefined;
const NO_SCOPE = `Bearer ${bare}`;
const KEY = `Bearer ${a.key}`;

const huge = { body: JSON.stringify({ message: 'x'.repeat(1024 * 1024) }) };
const plain = { headers: { 'content-type': 'text/plain' } };
const broken = { body: '{"message": ' };
const hugeAndPlain = { ...huge, ...plain };
const brokenAndPlain = { ...broken, ...plain };
const badKey = { headers: { 'Idempotency-Key': 'ü'.repeat(3) } };

const { chatbot, faq, faqItem } = mine.ids;
const reply = `/chatbot/${chatbot}/reply`;
const attach = `/chatbot/${chatbot}/knowledge`;
const foreign = `/chatbot/${theirs.ids.chatbot}`;
const nowhere = `/chatbot/${randomUUID()}`;

type Case = [
  faults: string,
  status: number,
  key: string | undefined,
  method: string,
  path: string,
  options?: RequestOptions,
];

const CASES: Case[] = [
  ['no key, unknown route', 401, NO_KEY, 'GET', '/nothing'],
  ['no key, wrong method', 401, NO_KEY, 'DELETE', '/me'],
  ['no key, huge body', 401, NO_KEY, 'POST', reply, huge],
  ['no key, malformed id', 401, NO_KEY, 'GET', '/knowledge/nope!'],
  ['unknown route, huge body', 404, KEY, 'POST', '/nothing', huge],
  ['unknown route, plain text', 404, KEY, 'POST', '/nothing', { ...plain, body: 'x' }],
  ['wrong method, missing scope', 405, NO_SCOPE, 'PUT', '/api-keys', { body: {} }],
  ['wrong method, huge body', 405, KEY, 'PUT', reply, huge],
  ['wrong method, malformed id', 405, KEY, 'PUT', '/chatbot/nope!', { body: {} }],
  ['missing scope, huge body', 403, NO_SCOPE, 'POST', '/chatbots', huge],
  ['missing scope, plain text', 403, NO_SCOPE, 'POST', '/chatbots', { ...plain, body: 'x' }],
  ['missing scope, broken body', 403, NO_SCOPE, 'POST', '/chatbots', broken],
  ['missing scope, malformed id', 403, NO_SCOPE, 'DELETE', '/api-key/nope!'],
  ['missing scope, unknown id', 403, NO_SCOPE, 'DELETE', `/api-key/${randomUUID()}`],
  ['huge body, plain text', 413, KEY, 'POST', reply, hugeAndPlain],
  ['huge body, malformed id', 413, KEY, 'POST', '/chatbot/nope!/reply', huge],
  ["huge body, another account's", 413, KEY, 'POST', `${foreign}/reply`, huge],
  ['plain text, broken body', 415, KEY, 'POST', reply, brokenAndPlain],
  ['plain text, malformed id', 415, KEY, 'POST', '/chatbot/nope!/reply', { ...plain, body: 'x' }],
  ['plain text, unknown id', 415, KEY, 'POST', `${nowhere}/reply`, { ...plain, body: 'x' }],
  ['broken body, unknown id', 400, KEY, 'POST', `${nowhere}/reply`, broken],
  ["broken body, another account's", 400, KEY, 'POST', `${foreign}/reply`, broken],
  ['missing field, unknown id', 400, KEY, 'POST', `${nowhere}/reply`, { body: {} }],
  ["missing field, another account's", 400, KEY, 'POST', `${foreign}/reply`, { body: {} }],
  ['malformed knowledge_id, unknown chatbot', 400, KEY, 'PUT', `${nowhere}/knowledge`, { body: { knowledge_id: 'x' } }],
  ['invalid limit, unknown id', 400, KEY, 'GET', `${nowhere}/chats?limit=0`],
  ["invalid limit, another account's", 400, KEY, 'GET', `${foreign}/chats?limit=0`],
  ["invalid date, another account's", 400, KEY, 'GET', `${foreign}/chats?created_after=nope`],
  ['invalid Idempotency-Key, unknown id', 400, KEY, 'POST', `${nowhere}/reply`, { ...badKey, body: { message: 'x' } }],
  ["malformed child, another account's parent", 400, KEY, 'GET', `${foreign}/chats/nope!`],
  [
    "another account's chatbot, unknown knowledge",
    403,
    KEY,
    'PUT',
    `${foreign}/knowledge`,
    { body: { knowledge_id: randomUUID() } },
  ],
  [
    "unknown chatbot, another account's knowledge",
    404,
    KEY,
    'PUT',
    `${nowhere}/knowledge`,
    { body: { knowledge_id: theirs.ids.faq } },
  ],
  ['unknown knowledge', 404, KEY, 'PUT', attach, { body: { knowledge_id: randomUUID() } }],
  ["another account's knowledge", 403, KEY, 'PUT', attach, { body: { knowledge_id: theirs.ids.faq } }],
  ["another account's item of another type", 403, KEY, 'GET', `/knowledge/${theirs.ids.faq}/sub-pages`],
  [
    "another account's chatbot, unknown session",
    403,
    KEY,
    'POST',
    `${foreign}/reply`,
    { body: { message: 'x', session_id: randomUUID() } },
  ],
  ["another account's session", 404, KEY, 'POST', reply, { body: { message: 'x', session_id: theirs.session } }],
  ["another account's FAQ item", 404, KEY, 'DELETE', `/knowledge/${faq}/faq-item/${theirs.ids.faqItem}`],
  ['an FAQ item of a website', 400, KEY, 'DELETE', `/knowledge/${mine.ids.website}/faq-item/${faqItem}`],
];

const ROWS = CASES.map(([faults, status, key, method, path, options = {}]) => ({
  faults,
  status,
  send: () => a.api.as(key).request(method, path, options),
}));

test.each(ROWS)('$faults: $status', async ({ status, send }) => {
  const { status: answered, body } = await send();
  expect({ status: answered, message: body.message }).toEqual({ status, message: expect.any(String) });
});
