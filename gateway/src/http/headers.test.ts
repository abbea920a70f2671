import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type World, world } from '../testing/world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w.end());

test('every response carries nosniff, parser errors and open pages included', async () => {
  const answers = await Promise.all([
    w.get('/me'),
    w.get('/nowhere'),
    w.get('/me', { key: undefined }),
    w.call('OPTIONS', '/v1/me'),
    w.call('GET', '/', { headers: { accept: 'text/html' } }),
    ...['/healthz', '/readyz', '/docs', '/docs/swagger-ui.css', '/v1/openapi.json'].map((path) => w.call('GET', path)),
  ]);
  expect(answers.map(({ headers }) => headers.get('x-content-type-options'))).toEqual(answers.map(() => 'nosniff'));
  for (const refused of ['NONSENSE\r\n\r\n', 'GET /v1/me HTTP/1.1\r\n\r\n', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'])
    expect(await w.raw(refused)).toMatch(/\r\nx-content-type-options: nosniff\r\n/i);
});

test('responses to requests that need a key are never cached, API keys included', async () => {
  const answers = [
    await w.post('/api-keys', { name: 'CI', scopes: [] }),
    await w.get('/api-keys'),
    await w.get('/chatbots'),
    await w.get('/nowhere'),
    await w.get('/me', { key: 'parley_no' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404, 401]);
  expect(answers.map(({ headers }) => headers.get('cache-control'))).toEqual(answers.map(() => 'no-store'));
  expect((await w.call('GET', '/docs')).headers.get('cache-control')).toBeNull();
});
