import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { deriveId, randomId } from '@parley/runtime/rpc';
import { createVisitorTokens, TOKEN_MS } from '../../public/visitor-tokens.ts';
import { eventReader } from '../../testing/event-stream.ts';
import { type CallOptions, type World, world } from '../../testing/world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w.end());

const PAGE = 'https://www.example.com';
const ANSWER = deriveId('answer');

interface Bot {
  id: string;
  public_id: string;
}

const create = async (fields: object = { allowed_domains: ['www.example.com'] }): Promise<Bot> =>
  (await w.post('/chatbots', { title: 'Help', ...fields })).body.data;

interface Visit extends CallOptions {
  origin?: string | undefined;
  token?: string;
  idempotencyKey?: string;
}

/** A request of a page, without an API key. */
const visit = (
  method: string,
  path: string,
  { origin = PAGE, token, idempotencyKey, headers, ...options }: Visit = {},
) =>
  w.call(method, `/public/v1/chatbots/${path}`, {
    key: undefined,
    headers: {
      ...(origin !== '' && { origin }),
      ...(token !== undefined && { 'x-visitor-token': token }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...headers,
    },
    ...options,
  });

const ask = (bot: Bot, options: Visit = {}) =>
  visit('POST', `${bot.public_id}/reply`, { json: { message: 'Is it?' }, ...options });
const tokenOf = async (bot: Bot, options?: Visit): Promise<string> => (await ask(bot, options)).body.data.visitor_token;
const mine = (bot: Bot, token: string) => visit('GET', `${bot.public_id}/conversations/mine`, { token });
const identify = (bot: Bot, json: object, options: Visit = {}) =>
  visit('POST', `${bot.public_id}/identify`, { json, ...options });
const vote = (bot: Bot, token: string, json: object = { vote: 'up' }, id = ANSWER) =>
  visit('POST', `${bot.public_id}/messages/${id}/vote`, { token, json });
const open = (token: string) => createVisitorTokens(w.config.secret).open(token);
const replies = () => w.assistants.state.replies.size;

test('a page reads what it shows of a chatbot', async () => {
  const form = (await w.post('/ticket-forms', { title: 'Person' })).body.data;
  const bare = await create({});
  expect((await visit('GET', bare.public_id, { origin: '' })).body.data).toEqual({
    public_id: bare.public_id,
    title: 'Help',
    greeting: null,
    suggestions: [],
    colour: null,
    ticket_form: null,
  });
  const shown = { greeting: 'Hi!', suggestions: ['Why?'], colour: '#aabbcc' };
  const full = await create({ ...shown, ticket_form_id: form.id, allowed_domains: ['www.example.com'] });
  expect((await visit('GET', full.public_id)).body.data).toEqual({
    ...{ public_id: full.public_id, title: 'Help', ...shown },
    ticket_form: form.public_id,
  });
});

test('reading what a page shows asks for no token, so a bad one does not matter', async () => {
  const { public_id } = await create();
  expect((await visit('GET', public_id, { token: '!' })).status).toBe(200);
});

test('a visitor converses, with a token that says nothing to the page and that each reply renews', async () => {
  const bot = await create();
  const first = await ask(bot);
  const { visitor_token: token, ...reply } = first.body.data;
  expect(reply).toEqual({
    id: deriveId(bot.id, 'chat'),
    message_id: expect.any(String),
    message: expect.stringMatching(/^Yes/),
    sources: [expect.anything(), expect.anything()],
    confidence: 'low',
  });
  const visitor = open(token);
  expect(w.assistants.state.lastVisitor).toMatchObject({ id: visitor.id, name: '', verified: false });
  const second = await ask(bot, { token });
  expect(w.assistants.state.lastVisitor).toMatchObject({ id: visitor.id });
  expect(open(second.body.data.visitor_token)).toEqual(visitor);
  expect((await mine(bot, token)).body.data).toEqual({
    id: deriveId(bot.id, 'chat'),
    visitor: { name: null, email: null, user_id: null, verified: false },
    conversation: [
      expect.objectContaining({ role: 'user', message: 'Is it?', vote: null, sources: [] }),
      {
        id: ANSWER,
        role: 'assistant',
        message: 'Yes [1].',
        sources: [{ n: 1, title: 'Page', url: null }],
        confidence: 'high',
        vote: null,
        created_at: expect.any(String),
      },
    ],
  });
  expect((await ask(bot)).body.data.visitor_token).not.toBe(token);
});

test('a streamed reply ends with what JSON would have had, the token included', async () => {
  const bot = await create();
  const headers = { accept: 'text/event-stream', origin: PAGE, 'content-type': 'application/json' };
  const url = `${w.base}/public/v1/chatbots/${bot.public_id}/reply`;
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ message: 'Is it?' }) });
  expect(response.headers.get('access-control-allow-origin')).toBe(PAGE);
  const events = await eventReader(response).rest();
  expect(events.map(({ event }) => event)).toEqual(['token', 'sources', 'token', 'sources', 'token', 'done']);
  const { data } = events.at(-1)! as { data: { visitor_token: string } };
  expect(events.at(-1)!.event).toBe('done');
  expect(open(data.visitor_token).chatbot).toBe(bot.id);
});

test.each([
  ['an allowed page', { allowed_domains: ['www.example.com'] }, PAGE, 200],
  ['another page', { allowed_domains: ['www.example.com'] }, 'https://evil.example', 403],
  ['another port', { allowed_domains: ['www.example.com'] }, `${PAGE}:8443`, 403],
  ['a sandboxed frame', { allowed_domains: ['www.example.com'] }, 'null', 403],
  ['no page, where domains are listed', { allowed_domains: ['www.example.com'] }, '', 403],
  ['no page, where none are', {}, '', 200],
  ['any page, where none are', {}, PAGE, 403],
  ["the gateway's own page", {}, 'own', 200],
  ["the gateway's own page, where others are listed", { allowed_domains: ['www.example.com'] }, 'own', 200],
])('a message from %s', async (_, fields, origin, status) => {
  const bot = await create(fields);
  const from = origin === 'own' ? w.base : origin;
  const before = replies();
  const answer = await ask(bot, { origin: from });
  expect(answer.status).toBe(status);
  expect(replies() - before).toBe(status === 200 ? 1 : 0);
  const allowed = status === 200 && from !== '' ? from : null;
  expect(answer.headers.get('access-control-allow-origin')).toBe(allowed);
  expect(answer.headers.get('vary')).toContain('Origin');
  expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
});

test('a browser may ask in advance from an allowed page, remembers it, and may not from another', async () => {
  const bot = await create();
  const ahead = (origin: string) =>
    visit('OPTIONS', `${bot.public_id}/reply`, { origin, headers: { 'access-control-request-method': 'POST' } });
  const allowed = await ahead(PAGE);
  expect(allowed.status).toBe(204);
  expect(Object.fromEntries(allowed.headers)).toMatchObject({
    'access-control-allow-origin': PAGE,
    'access-control-allow-methods': expect.stringContaining('POST'),
    'access-control-allow-headers': expect.stringMatching(/Content-Type.*Idempotency-Key.*X-Visitor-Token/),
    'access-control-max-age': '7200',
    vary: expect.stringContaining('Origin'),
  });
  const refused = await ahead('https://evil.example');
  expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, null]);
});

test('no other path answers other origins', async () => {
  for (const path of ['/v1/chatbots', '/v1/openapi.json', '/healthz', '/public/v1/nothing'])
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await w.call(method, path, { headers: { origin: PAGE } });
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  expect((await w.call('GET', '/public/v1/nothing', { key: undefined })).status).toBe(404);
});

test('a token that is not ours, was stolen for another chatbot or has expired is refused, and the page can read why', async () => {
  const [bot, other] = [await create(), await create()];
  const token = await tokenOf(bot);
  const expired = createVisitorTokens(w.config.secret, () => Date.now() - TOKEN_MS).seal(open(token));
  const before = replies();
  for (const [wrong, status] of [
    ['garbage', 401],
    [`${token}x`, 401],
    [expired, 401],
  ] as const) {
    const answer = await ask(bot, { token: wrong });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([status, PAGE]);
    expect(answer.headers.get('www-authenticate')).toBe('Visitor-Token');
  }
  expect((await ask(other, { token })).status).toBe(404);
  expect((await mine(other, token)).status).toBe(404);
  expect((await visit('GET', `${bot.public_id}/conversations/mine`)).status).toBe(401);
  expect(replies()).toBe(before);
});

test('a first message that broke off is repeated with its key, and has the same token and one reply', async () => {
  const bot = await create();
  const idempotencyKey = randomId();
  const before = replies();
  const [first, second] = [await ask(bot, { idempotencyKey }), await ask(bot, { idempotencyKey })];
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(second.body).toEqual(first.body);
  expect(replies() - before).toBe(1);
  const different = await ask(bot, { idempotencyKey, json: { message: 'Else?' } });
  expect(different.status).toBe(409);
  const guessable = await ask(bot, { idempotencyKey: '1' });
  expect(guessable).toMatchObject({ status: 400, body: { message: expect.stringContaining('Idempotency-Key') } });
});

test('the same key of two visitors, or of two chatbots, is two requests', async () => {
  const [bot, other] = [await create(), await create()];
  const [one, two] = [await tokenOf(bot), await tokenOf(bot)];
  const elsewhere = await tokenOf(other);
  const before = replies();
  const asked = [
    await ask(bot, { token: one, idempotencyKey: '1' }),
    await ask(bot, { token: two, idempotencyKey: '1' }),
    await ask(other, { token: elsewhere, idempotencyKey: '1' }),
  ];
  expect(asked.map(({ status, headers }) => [status, headers.get('idempotent-replayed')])).toEqual(
    Array(3).fill([200, null]),
  );
  expect(replies() - before).toBe(3);
  expect((await ask(bot, { token: one, idempotencyKey: '1' })).headers.get('idempotent-replayed')).toBe('true');
});

test('a visitor can say who they are before the first message, and nothing is stored until then', async () => {
  const bot = await create();
  const answer = await identify(bot, { name: 'Ann', email: 'ann@example.com', user_id: 'u1' });
  const { visitor_token: token } = answer.body.data;
  expect((await mine(bot, token)).body.data).toEqual({
    id: null,
    visitor: { name: 'Ann', email: 'ann@example.com', user_id: 'u1', verified: false },
    conversation: [],
  });
  await ask(bot, { token });
  expect(w.assistants.state.lastVisitor).toMatchObject({ name: 'Ann', userId: 'u1', verified: false });
});

test('a page vouches for its user; a forged vouching is 401, and an incomplete one 400', async () => {
  const bot = await create();
  w.assistants.state.signature = 'a'.repeat(64);
  const vouching = { user_id: 'u1', expires: 2_000_000_000, signature: 'a'.repeat(64) };
  const token = (await identify(bot, { ...vouching, name: 'Ann' })).body.data.visitor_token;
  expect(open(token).profile).toEqual({ name: 'Ann', email: '', userId: 'u1', verified: true });
  expect((await identify(bot, { ...vouching, signature: 'b'.repeat(64) })).status).toBe(401);
  for (const wrong of [{ user_id: null }, { expires: null }, { expires: 1.5 }, { expires: '7' }, { signature: 'x' }])
    expect((await identify(bot, { ...vouching, ...wrong })).status).toBe(400);
  expect((await identify(bot, { name: 'Eve' }, { token })).status).toBe(400);
  const other = await identify(bot, { ...vouching, user_id: 'u2' }, { token });
  expect(open(other.body.data.visitor_token)).toMatchObject({ profile: { userId: 'u2' } });
  expect(open(other.body.data.visitor_token).id).not.toBe(open(token).id);
});

test('who is vouched for during a conversation keeps it, unless it was that of another person', async () => {
  const bot = await create();
  w.assistants.state.signature = 'a'.repeat(64);
  const vouching = { expires: 2_000_000_000, signature: 'a'.repeat(64) };
  const token = await tokenOf(bot);
  const known = await identify(bot, { ...vouching, user_id: 'u1' }, { token });
  expect(open(known.body.data.visitor_token)).toEqual(open(token));
  expect((await mine(bot, token)).body.data.visitor).toMatchObject({ user_id: 'u1', verified: true });
  const other = open((await identify(bot, { ...vouching, user_id: 'u2' }, { token })).body.data.visitor_token);
  expect(other).toMatchObject({ profile: { userId: 'u2', verified: true } });
  expect(other).not.toHaveProperty('session');
  expect(other.id).not.toBe(open(token).id);
});

test('a visitor votes on an answer, with or without a reason', async () => {
  const bot = await create();
  const token = await tokenOf(bot);
  expect((await vote(bot, token, { vote: 'down', reason: 'Wrong.' })).body).toEqual({ success: true });
  expect(w.conversations.state.votes).toEqual([expect.objectContaining({ messageId: ANSWER, reason: 'Wrong.' })]);
  expect((await mine(bot, token)).body.data.conversation[1].vote).toBe('down');
  expect((await vote(bot, token, { vote: 'up' }, randomId())).status).toBe(404);
  for (const wrong of [{}, { vote: 'sideways' }, { vote: 'up', reason: 'x'.repeat(501) }])
    expect((await vote(bot, token, wrong)).status).toBe(400);
});

test('a blocked visitor is refused before anything is asked or spent', async () => {
  const bot = await create({ allowed_domains: ['www.example.com'], visitor_messages_per_day: 3 });
  const token = await tokenOf(bot);
  const { id } = open(token);
  w.conversations.state.blocked.add(id);
  const before = replies();
  for (let i = 0; i < 5; i++) expect((await ask(bot, { token })).status).toBe(403);
  expect((await vote(bot, token)).status).toBe(403);
  expect((await mine(bot, token)).status).toBe(403);
  expect((await identify(bot, { name: 'Eve' }, { token })).status).toBe(403);
  expect(replies()).toBe(before);
  for (let i = 0; i < 2; i++) expect((await ask(bot)).status).toBe(200);
  expect((await ask(bot)).status).toBe(429);
});

test('what is wrong with a request comes before that its chatbot does not exist', async () => {
  const nowhere: Bot = { id: '', public_id: 'AbCdEfGhIjKl' };
  const huge = { body: JSON.stringify({ message: 'x'.repeat(1024 * 1024) }), json: undefined };
  expect((await ask(nowhere, { ...huge, headers: { 'content-type': 'application/json' } })).status).toBe(413);
  expect((await ask(nowhere, { body: 'x', json: undefined, headers: { 'content-type': 'text/plain' } })).status).toBe(
    415,
  );
  expect((await ask(nowhere, { json: {} })).status).toBe(400);
  expect((await ask({ id: '', public_id: 'no!' })).status).toBe(400);
  const unknown = await ask(nowhere, { idempotencyKey: randomId() });
  expect([unknown.status, unknown.headers.get('access-control-allow-origin')]).toEqual([404, PAGE]);
  expect((await visit('PUT', `${nowhere.public_id}/reply`)).status).toBe(405);
});

test('the owner gets a snippet, and chats with who they were with, filtered', async () => {
  const bot = await create();
  expect((await w.get(`/chatbot/${bot.id}/embed`)).body.data).toEqual({
    snippet: `<script async src="${w.base}/widget.js" data-chatbot="${bot.public_id}"></script>`,
    page: `${w.base}/chat/${bot.public_id}`,
  });
  expect((await w.get(`/chatbot/${bot.id}/chats?vote=up&verified=false`)).body.data.items[0]).toMatchObject({
    visitor: null,
    votes: [],
  });
  expect(w.conversations.state.lastChatFilter).toEqual({ vote: 1, verified: false });
  for (const wrong of ['vote=left', 'vote=', 'vote=up&vote=up', 'verified=yes', 'verified='])
    expect((await w.get(`/chatbot/${bot.id}/chats?${wrong}`)).status).toBe(400);
  const { secret } = (await w.post(`/chatbot/${bot.id}/identity-secret`, undefined)).body.data;
  expect(secret).toEqual(expect.any(String));
});
