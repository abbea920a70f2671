import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { until } from '@parley/runtime/testing';
import type { MongoClient } from 'mongodb';
import { must } from '../e2e/api.ts';
import type { ApiKey, Chat, KnowledgeItem, Page, Reply } from '../e2e/resources.ts';
import { expectRefused } from './check.ts';
import { classOf, eachClass } from './classes.ts';
import { a, b, bare, mine, mongo, theirs } from './given.ts';
import { fill, OPERATIONS } from './operations.ts';

const { api } = a;
const { ids } = mine;

const keyed = (key: string = randomUUID()) => ({ 'Idempotency-Key': key });
const replayed = (answer: { headers: Headers }) => answer.headers.get('idempotent-replayed');

test('a repeated request gets the first response and is executed once', async () => {
  const headers = keyed();
  const title = randomUUID();
  const first = await api.post<KnowledgeItem>('/knowledge/faq', { title, description: 'D' }, headers);
  expect(replayed(first)).toBe(null);
  // The same body, formatted differently.
  const again = await api.request('POST', '/knowledge/faq', {
    body: `{ "description":"D" ,"title" : "${title}" }`,
    headers,
  });
  expect(again.body).toEqual(first.body);
  expect(replayed(again)).toBe('true');
  const named = (await api.all<KnowledgeItem>('/knowledge')).filter((item) => item.title === title);
  expect(named.length).toBe(1);
});

const POSTS = OPERATIONS.filter(({ method, missing }) => method === 'POST' && !missing);

describe.each(eachClass(POSTS, classOf))('POST $path', ({ path, body }) => {
  /** Sends the same body each time. */
  const repeatable = (by = api) => {
    const sent = body?.();
    return (headers: Record<string, string>, more: object = {}) =>
      by.request('POST', fill(path, ids), { ...(sent && { body: { ...sent, ...more } }), headers });
  };

  test('answers a repeated request with the first answer', async () => {
    const [send, headers] = [repeatable(), keyed()];
    const first = await send(headers);
    expect([first.status, replayed(first)]).toEqual([200, null]);
    const second = await send(headers);
    expect([second.status, replayed(second)]).toEqual([200, 'true']);
    expect(second.body).toEqual(first.body);
    if (body) expectRefused(await send(headers, { other: 1 }), 409, 'Idempotency-Key');
  });

  test('refuses a key that is not 1 to 255 printable ASCII characters', async () => {
    for (const key of ['', 'x'.repeat(256), 'é', 'a\tb'])
      expectRefused(await repeatable()(keyed(key)), 400, 'Idempotency-Key');
  });

  test('stores no refusal of a wrong API key', async () => {
    const headers = keyed();
    const refused = await repeatable(api.as('Bearer x'))(headers);
    expect([refused.status, replayed(refused)]).toEqual([401, null]);
    expect((await repeatable()(headers)).status).toBe(200);
  });
});

test('five concurrent requests are executed once', async () => {
  const headers = keyed();
  const title = randomUUID();
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => api.post<KnowledgeItem>('/knowledge/faq', { title }, headers)),
  );
  for (const { status } of answers) expect([200, 409]).toContain(status);
  const made = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.data.id));
  expect(made.size).toBe(1);
  expect((await api.all<KnowledgeItem>('/knowledge')).filter((item) => item.title === title).length).toBe(1);
});

test('a key is valid for one request: another method, path or body gets 409', async () => {
  const headers = keyed();
  must(await api.post('/knowledge/faq', { title: 'one' }, headers));
  expect((await api.post('/knowledge/faq', { title: 'two' }, headers)).status).toBe(409);
  expect((await api.post('/chatbots', { title: 'one' }, headers)).status).toBe(409);
  expect(replayed(await api.post('/knowledge/faq', { title: 'one' }, headers))).toBe('true');
});

test('idempotency keys are per account: any API key of the account gets the replay, another account does not', async () => {
  const headers = keyed();
  const first = must(await api.post<KnowledgeItem>('/knowledge/faq', { title: 'one' }, headers));
  const { key } = must(await api.post<ApiKey>('/api-keys', { name: 'second', scopes: [] }));
  const second = await api.as(`Bearer ${key}`).post<KnowledgeItem>('/knowledge/faq', { title: 'one' }, headers);
  expect([must(second).id, replayed(second)]).toEqual([first.id, 'true']);
  const theirs = await b.api.post<KnowledgeItem>('/knowledge/faq', { title: 'one' }, headers);
  expect(must(theirs).id).not.toBe(first.id);
  expect(replayed(theirs)).toBe(null);
});

test('400, 404 and 403 for another account are replayed; 401, 403 for a missing scope, 405, 413 and 415 are not', async () => {
  const unscoped = api.as(`Bearer ${bare}`);
  const huge = JSON.stringify({ message: 'x'.repeat(1024 * 1024) });
  const plain = { 'content-type': 'text/plain' };
  const cases: [
    status: number,
    kept: string | null,
    send: (headers: Record<string, string>) => ReturnType<typeof api.post>,
  ][] = [
    [400, 'true', (headers) => api.post('/knowledge/faq', { title: ' ' }, headers)],
    [404, 'true', (headers) => api.post(`/chatbot/${ids.faq}/reply`, { message: 'x' }, headers)],
    [403, 'true', (headers) => api.post(`/chatbot/${theirs.ids.chatbot}/reply`, { message: 'x' }, headers)],
    [401, null, (headers) => api.as('Bearer x').post('/knowledge/faq', { title: 'x' }, headers)],
    [403, null, (headers) => unscoped.post('/chatbots', { title: 'x' }, headers)],
    [413, null, (headers) => api.request('POST', '/knowledge/faq', { body: huge, headers })],
    [415, null, (headers) => api.request('POST', '/knowledge/faq', { body: 'x', headers: { ...headers, ...plain } })],
  ];
  for (const [status, kept, send] of cases) {
    const headers = keyed();
    const first = await send(headers);
    expect([status, first.status, replayed(first)]).toEqual([status, status, null]);
    const second = await send(headers);
    expect([status, second.status, replayed(second)]).toEqual([status, status, kept]);
    expect(second.body).toEqual(first.body);
  }
});

test('a key can be reused after a request that was refused for a missing scope', async () => {
  const headers = keyed();
  expect((await api.as(`Bearer ${bare}`).post('/chatbots', { title: 'x' }, headers)).status).toBe(403);
  expect((await api.post('/chatbots', { title: 'x' }, headers)).status).toBe(200);
});

test('a key is 1 to 255 printable ASCII characters', async () => {
  for (const key of ['a', 'x'.repeat(255), 'a b~!"#'])
    expect([key, (await api.post('/knowledge/faq', { title: 'T' }, keyed(key))).status]).toEqual([key, 200]);
  for (const key of ['', 'x'.repeat(256), 'é', 'a\tb']) {
    const refused = await api.post('/knowledge/faq', { title: 'T' }, keyed(key));
    expect([key, refused.status]).toEqual([key, 400]);
    expect(refused.body.message).toContain('Idempotency-Key');
  }
});

test('a key is ignored on methods other than POST', async () => {
  const headers = keyed();
  for (let i = 0; i < 2; i++) {
    const answer = await api.request('GET', '/me', { headers });
    expect([answer.status, replayed(answer)]).toEqual([200, null]);
  }
});

test('a reply with a key creates one chat with one question and one answer', async () => {
  const headers = keyed();
  const at = `/chatbot/${ids.chatbot}`;
  const before = must(await api.get<Page<Chat>>(`${at}/chats?limit=1`)).total;
  const ask = () => api.post<Reply>(`${at}/reply`, { message: 'When is the shop open?' }, headers);
  const [first, second] = await Promise.all([ask(), ask()]);
  const third = await until(ask, ({ status }) => status === 200);
  expect(replayed(third)).toBe('true');
  for (const answer of [first, second]) if (answer.status !== 409) expect(answer.body).toEqual(third.body);
  expect(must(await api.get<Page<Chat>>(`${at}/chats?limit=1`)).total).toBe(before + 1);
  const chat = must(await api.get<Chat>(`${at}/chats/${must(third).id}`));
  expect(chat.conversation.map(({ role }) => role)).toEqual(['user', 'assistant']);
});

test('a created API key is replayed only to the API key that created it; others of the account get 409', async () => {
  const headers = keyed();
  const body = { name: 'secret', scopes: [] };
  const first = must(await api.post<ApiKey>('/api-keys', body, headers));
  const other = must(await api.post<ApiKey>('/api-keys', { name: 'other', scopes: ['API_KEYS_WRITE'] }));
  const refused = await api.as(`Bearer ${other.key}`).post('/api-keys', body, headers);
  expect([refused.status, replayed(refused)]).toEqual([409, null]);
  expect(JSON.stringify(refused.body)).not.toContain(first.key);
  expect(replayed(await api.post('/api-keys', body, headers))).toBe('true');
});

test('a created API key is replayed to the same request, and is not stored in plain text', async () => {
  const headers = keyed();
  const create = () => api.post<ApiKey>('/api-keys', { name: 'secret', scopes: [] }, headers);
  const first = must(await create());
  expect(must(await create()).key).toBe(first.key);
  expect(first.key.length).toBeGreaterThan(30);
  if (mongo) expect(await everything(mongo)).not.toContain(first.key.slice('parley_'.length));
});

async function everything(mongo: MongoClient): Promise<string> {
  const lines: string[] = [];
  for (const { name } of (await mongo.db('admin').admin().listDatabases()).databases) {
    for (const collection of await mongo.db(name).collections())
      lines.push(...(await collection.find().toArray()).map((document) => JSON.stringify(document)));
  }
  expect(lines.length).toBeGreaterThan(10);
  return lines.join('\n');
}
