import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type World, world } from '../testing/world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w.end());

const NIL = '00000000-0000-0000-0000-000000000000';

test('405 and OPTIONS list the allowed methods', async () => {
  const refused = await w.call('PUT', `/v1/knowledge/${NIL}`);
  expect(refused.status).toBe(405);
  expect(refused.headers.get('allow')).toBe('DELETE, GET, HEAD, OPTIONS, PATCH');
  const options = await w.call('OPTIONS', '/v1/chatbots');
  expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS, POST']);
  expect((await w.call('OPTIONS', '/v1/nowhere')).status).toBe(404);
});

test('HEAD works like GET without a body', async () => {
  const [head, get] = [await w.call('HEAD', '/v1/chatbots'), await w.get('/chatbots')];
  expect([head.status, head.body]).toEqual([200, '']);
  expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
  expect((await w.call('HEAD', `/v1/chatbot/${NIL}`)).status).toBe(404);
});

test('a trailing slash is the same route, without a redirect', async () => {
  expect((await w.get('/chatbots/')).body).toEqual({ success: true, data: [] });
  expect((await w.get(`/knowledge/${NIL}/`)).status).toBe(404);
});

test('paths are case-sensitive', async () => {
  expect((await w.get('/Chatbots')).body.message).toMatch(/no such path/);
});

test.each(['/knowledge//', '/chatbot//chats', '/chatbot/', '/knowledge/%zz', '/knowledge/website'])(
  'a malformed or empty id is 400: GET %s',
  async (path) => {
    expect(await w.get(path)).toMatchObject({ status: 400, body: { message: expect.stringMatching(/^id must be/) } });
  },
);

test('an id in upper case is the same id, and the nil UUID is well-formed', async () => {
  const { id } = (await w.post('/knowledge/faq', { title: 'Case' })).body.data;
  expect((await w.get(`/knowledge/${id.toUpperCase()}`)).body.data.id).toBe(id);
  expect((await w.get(`/knowledge/${NIL}`)).status).toBe(404);
});

test('a request keeps its own id if it is well-formed, and gets one otherwise', async () => {
  const id = async (given: string) =>
    (await w.get('/me', { headers: { 'x-request-id': given } })).headers.get('x-request-id');
  expect(await id('order-7.a_B')).toBe('order-7.a_B');
  expect(await id('a'.repeat(65))).toMatch(/^[0-9a-f-]{36}$/);
  expect(await id('two words')).toMatch(/^[0-9a-f-]{36}$/);
  expect((await w.get('/me', { key: undefined })).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
});

test('the authorization scheme is case-insensitive, and 401 says what is required', async () => {
  const { key } = w.account;
  expect((await w.get('/me', { key: undefined, headers: { authorization: `bEARER ${key}` } })).status).toBe(200);
  for (const authorization of [key, `Basic ${key}`, 'Bearer', 'Bearer ', `Bearer ${key} x`]) {
    const refused = await w.get('/me', { key: undefined, headers: { authorization } });
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  }
});

test('health and the description need no key', async () => {
  for (const path of ['/healthz', '/readyz', '/v1/openapi.json', '/docs/']) {
    expect((await w.call('GET', path, { key: undefined })).status).toBe(200);
    expect((await w.call('HEAD', path, { key: undefined })).body).toBe('');
  }
  const refused = await w.call('POST', '/v1/openapi.json', { key: undefined });
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  expect((await w.call('OPTIONS', '/docs', { key: undefined })).status).toBe(204);
});

test('a browser that opens / is redirected to the description; other clients get 404', async () => {
  const open = (accept: string, method = 'GET') => w.call(method, '/', { headers: { accept }, key: undefined });
  const browser = await open('text/html,application/xhtml+xml,*/*;q=0.8');
  expect([browser.status, browser.headers.get('location')]).toEqual([302, '/docs']);
  expect((await open('*/*')).status).toBe(401);
  expect((await open('text/html', 'POST')).status).toBe(401);
  expect((await w.call('GET', '/')).status).toBe(404);
});
