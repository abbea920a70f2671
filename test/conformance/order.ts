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

/** The same for what tickets and emails share: the parent, the write scope's refusal, the child. */
const THREADS = [
  { one: '/ticket-form', threads: 'tickets', parent: 'form', child: 'ticket' },
  { one: '/email-inbox', threads: 'emails', parent: 'inbox', child: 'email' },
] as const;

for (const { one, threads, parent, child } of THREADS) {
  const at = (parentId: string, childId: string) => `${one}/${parentId}/${threads}/${childId}`;
  const own = at(mine.ids[parent], mine.ids[child]);
  const foreignThread = at(theirs.ids[parent], theirs.ids[child]);
  const unknownChild = at(mine.ids[parent], randomUUID());
  const unknownBoth = at(randomUUID(), randomUUID());
  const message = { body: { message: 'x' } };
  const status = { body: { status: 'open' } };
  CASES.push(
    [`${child}: no key, malformed id`, 401, NO_KEY, 'PUT', `${own}!`, status],
    [`${child}: wrong method, missing scope`, 405, NO_SCOPE, 'DELETE', own],
    [`${child}: missing scope, malformed id`, 403, NO_SCOPE, 'PUT', `${own}!`, status],
    [`${child}: missing scope, invalid body`, 403, NO_SCOPE, 'PUT', own, { body: { status: 'x' } }],
    [`${child}: missing scope, unknown id`, 403, NO_SCOPE, 'PUT', `${unknownBoth}/block`],
    [`${child}: missing scope, huge body`, 403, NO_SCOPE, 'POST', `${own}/reply`, huge],
    [`${child}: huge body, unknown id`, 413, KEY, 'POST', `${unknownBoth}/reply`, huge],
    [`${child}: plain text, another account's`, 415, KEY, 'PUT', foreignThread, { ...plain, body: 'x' }],
    [`${child}: broken body, another account's`, 400, KEY, 'PUT', foreignThread, broken],
    [`${child}: empty update, another account's`, 400, KEY, 'PUT', foreignThread, { body: {} }],
    [`${child}: extra field, unknown id`, 400, KEY, 'PUT', unknownBoth, { body: { status: 'open', x: 1 } }],
    [`${child}: missing message, another account's`, 400, KEY, 'POST', `${foreignThread}/reply`, { body: {} }],
    [`${child}: missing message, unknown id`, 400, KEY, 'POST', `${unknownChild}/reply`, { body: {} }],
    [`${child}: malformed child, another account's parent`, 400, KEY, 'PUT', `${foreignThread}!/block`],
    [`${child}: unknown parent`, 404, KEY, 'PUT', unknownBoth, status],
    [`${child}: unknown child`, 404, KEY, 'PUT', unknownChild, status],
    [`${child}: unknown child, own child of another`, 404, KEY, 'GET', at(mine.ids[parent], mine.ids.chat)],
    [`${child}: another account's`, 403, KEY, 'PUT', foreignThread, status],
    [
      `${child}: another account's parent, unknown child`,
      403,
      KEY,
      'POST',
      `${at(theirs.ids[parent], randomUUID())}/reply`,
      message,
    ],
    [
      `${child}: invalid status, another account's`,
      400,
      KEY,
      'GET',
      `${one}/${theirs.ids[parent]}/${threads}?status=x`,
    ],
    [`${child}: invalid date, unknown parent`, 400, KEY, 'GET', `${one}/${randomUUID()}/${threads}?created_before=x`],
    [`${child}: invalid limit, unknown parent`, 400, KEY, 'GET', `${one}/${randomUUID()}/${threads}?limit=0`],
  );
}

const { form, ticket, inbox } = mine.ids;
const ticketReply = (parent: string, child: string) => `/ticket-form/${parent}/tickets/${child}/reply`;
const taken = { alias: theirs.inbox.alias };
CASES.push(
  [
    'unknown ticket, unknown persona',
    400,
    KEY,
    'POST',
    ticketReply(form, randomUUID()),
    { body: { message: 'x', persona_id: randomUUID() } },
  ],
  [
    "another account's form and persona",
    400,
    KEY,
    'POST',
    ticketReply(theirs.ids.form, ticket),
    { body: { message: 'x', persona_id: theirs.ids.persona } },
  ],
  [
    'malformed persona, unknown ticket',
    400,
    KEY,
    'POST',
    ticketReply(form, randomUUID()),
    { body: { message: 'x', persona_id: 'x!' } },
  ],
  ['invalid title, alias of another account', 400, KEY, 'POST', '/email-inboxes', { body: { ...taken, title: ' ' } }],
  ['alias of another account', 409, KEY, 'POST', '/email-inboxes', { body: { ...taken, title: 'T' } }],
  [
    'missing scope, alias of another account',
    403,
    NO_SCOPE,
    'POST',
    '/email-inboxes',
    { body: { ...taken, title: 'T' } },
  ],
  ['unknown inbox, alias of another account', 404, KEY, 'PATCH', `/email-inbox/${randomUUID()}`, { body: taken }],
  [
    "another account's inbox, its own alias",
    403,
    KEY,
    'PATCH',
    `/email-inbox/${theirs.ids.inbox}`,
    { body: { alias: inbox.slice(0, 8) } },
  ],
  ['missing scope, missing name', 403, NO_SCOPE, 'POST', '/personas', { body: {} }],
  ['missing scope to list personas, invalid limit', 403, NO_SCOPE, 'GET', '/personas?limit=0'],
  ['missing scope to list keys, invalid limit', 403, NO_SCOPE, 'GET', '/api-keys?limit=0'],
  ['malformed item id, not an FAQ', 400, KEY, 'DELETE', `/knowledge/${mine.ids.website}/faq-item/x!`],
  [
    "another account's item of another type, malformed limit",
    400,
    KEY,
    'GET',
    `/knowledge/${theirs.ids.faq}/sub-pages?limit=0`,
  ],
  [
    "another account's website, changed",
    403,
    KEY,
    'PATCH',
    `/knowledge/${theirs.ids.website}`,
    { body: { include: ['/x'] } },
  ],
);

const ROWS = CASES.map(([faults, status, key, method, path, options = {}]) => ({
  faults,
  status,
  send: () => a.api.as(key).request(method, path, options),
}));

test.each(ROWS)('$faults: $status', async ({ status, send }) => {
  const { status: answered, body } = await send();
  expect({ status: answered, message: body.message }).toEqual({ status, message: expect.any(String) });
});
