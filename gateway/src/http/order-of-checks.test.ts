import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Scope } from '@parley/proto/auth/v1/auth_service_pb';
import { until } from '@parley/runtime/testing';
import { type Answer, type CallOptions, type World, world } from '../testing/world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w.end());

const NIL = '00000000-0000-0000-0000-000000000000';
const tooLarge = JSON.stringify({ title: 'x'.repeat(1024 * 1024) });
const text = { 'content-type': 'text/plain' };

/** Each row breaks every rule from its own on, so its status shows which check comes first. */
const rows: [status: number, what: string, method: string, path: string, options: () => CallOptions, says: RegExp][] = [
  [401, 'no key', 'PATCH', '/v1/nowhere', () => ({ key: undefined, body: tooLarge, headers: text }), /Bearer/],
  [
    401,
    'a wrong key',
    'PATCH',
    '/v1/nowhere',
    () => ({ key: 'parley_no', body: tooLarge, headers: text }),
    /not valid/,
  ],
  [404, 'an unknown path', 'PATCH', '/v1/nowhere', () => ({ body: tooLarge, headers: text }), /no such path/],
  [405, 'an unknown method', 'PATCH', '/v1/chatbots', () => ({ body: tooLarge, headers: text }), /PATCH/],
  [
    403,
    'no scope',
    'POST',
    '/v1/chatbots',
    () => ({ key: w.keyWith(), body: tooLarge, headers: text }),
    /CHATBOTS_WRITE/,
  ],
  [413, 'too large', 'POST', '/v1/chatbots', () => ({ body: tooLarge, headers: text }), /1 MiB/],
  [415, 'not JSON', 'POST', '/v1/chatbots', () => ({ body: '{', headers: text }), /application\/json/],
  [
    400,
    'broken JSON',
    'POST',
    '/v1/chatbots',
    () => ({ body: '{', headers: { 'content-type': 'application/json' } }),
    /JSON/,
  ],
  [400, 'a malformed id', 'PUT', '/v1/chatbot/no!/knowledge', () => ({ json: {} }), /^id must be/],
  [400, 'a malformed query', 'GET', `/v1/chatbot/${NIL}/chats?limit=0`, () => ({}), /^limit must be/],
  [400, 'a missing field', 'PUT', `/v1/chatbot/${NIL}/knowledge`, () => ({ json: {} }), /^knowledge_id is required/],
  [404, 'no such resource', 'PUT', `/v1/chatbot/${NIL}/knowledge`, () => ({ json: { knowledge_id: NIL } }), /chatbot/],
];

test.each(rows)('%i: %s', async (status, _what, method, path, options, says) => {
  const answer = await w.call(method, path, options());
  expect(answer).toMatchObject({ status, body: { success: false, message: expect.stringMatching(says) } });
  expect(Object.keys(answer.body)).toEqual(['success', 'message']);
});

test('429 comes after the key and before the path, for the key that sent too many requests and no other', async () => {
  const strict = await world({ requestsPerMinute: 2 });
  const status = async (key = strict.account.key) => (await strict.call('GET', '/v1/nowhere', { key })).status;
  const answers: Answer[] = [];
  // The third one, unless a new minute begins.
  const refused = await until(async () => {
    const answer = await strict.call('GET', '/v1/nowhere');
    answers.push(answer);
    return answer.status === 429 && answer;
  });
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([404, 429]));
  const retryAfter = Number((refused as Answer).headers.get('retry-after'));
  expect(retryAfter).toBeGreaterThanOrEqual(1);
  expect(retryAfter).toBeLessThanOrEqual(60);
  for (const { headers } of answers) {
    expect(headers.get('ratelimit-policy')).toBe('"default";q=2;w=60, "account";q=150000;w=60');
    expect(headers.get('ratelimit')).toMatch(/^"default";r=[01];t=\d+, "account";r=\d+;t=\d+$/);
  }
  expect([await status('parley_no'), await status(strict.keyWith()), await status(strict.other.key)]).toEqual([
    401, 404, 404,
  ]);
  await strict.end();
});

test("another account's resource is 403, whatever the child is", async () => {
  const made = await w.post('/knowledge/faq', { title: 'Mine' });
  const path = `/knowledge/${made.body.data.id}`;
  const { key } = w.other;
  expect(await w.get(path, { key })).toMatchObject({ status: 403, body: { success: false } });
  expect((await w.delete(`${path}/faq-item/${NIL}`, undefined, { key })).status).toBe(403);
});

test('a scope that the key holds lets it pass', async () => {
  const answer = await w.post('/chatbots', { title: 'Bot' }, { key: w.keyWith(Scope.CHATBOTS_WRITE) });
  expect(answer.status).toBe(200);
});
