import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type World, world } from '../testing/world.ts';

let w: World;
beforeAll(async () => {
  w = await world({ visitorRequestsPerMinute: 50 });
});
afterAll(() => w.end());

const get = (path: string, { call } = w) => call('GET', path, { key: undefined });
const chatbot = async (fields: object, { post } = w): Promise<string> =>
  (await post('/chatbots', { title: 'Help', ...fields })).body.data.public_id;

test('a chatbot has a page that needs no key and runs nothing but the widget', async () => {
  const id = await chatbot({});
  const { status, headers, body } = await get(`/chat/${id}`);
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
    200,
    'text/html; charset=utf-8',
    'no-cache',
  ]);
  expect(headers.get('content-security-policy')!.split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    "frame-ancestors 'none'",
  ]);
  expect(body.match(/<script[\s\S]*?<\/script>/g)).toEqual([
    `<script async src="/widget.js" data-chatbot="${id}" data-page></script>`,
  ]);
  expect((await get(`/chat/${id}/`)).body).toBe(body);
});

test('pages of its allowed domains may frame it', async () => {
  const id = await chatbot({ allowed_domains: ['www.example.com', '*.shop.example', 'localhost:3000', '[::1]:80'] });
  const policy = (await get(`/chat/${id}`)).headers.get('content-security-policy');
  expect(policy).toMatch(/; frame-ancestors www\.example\.com \*\.shop\.example localhost:3000$/);
});

test('a ticket form has such a page, too', async () => {
  const { public_id: id } = (await w.post('/ticket-forms', { title: 'Returns', allowed_domains: ['a.example'] })).body
    .data;
  const { status, headers, body } = await get(`/form/${id}`);
  expect([status, headers.get('content-security-policy')]).toEqual([
    200,
    expect.stringMatching(/; frame-ancestors a\.example$/),
  ]);
  expect(body).toContain(`<script async src="/widget.js" data-form="${id}" data-page></script>`);
  expect((await get('/form/AbCdEfGhIjKl')).status).toBe(404);
});

test('its title is text', async () => {
  const id = await chatbot({ title: '</title><script>alert(1)</script>&' });
  expect((await get(`/chat/${id}`)).body).toContain(
    '<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;</title>',
  );
});

test.each(['AAAAAAAAAAAA', 'x', '%3Cscript%3E', '..%2f..', ''])(
  'there is none for %j: a plain page says so',
  async (id) => {
    const { status, headers, body } = await get(`/chat/${id}`);
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(body).not.toContain('<script');
  },
);

test('behind a proxy that adds a path, the script is below that path', async () => {
  const other = await world({}, { publicUrl: 'https://example.com/parley' });
  const { body } = await get(`/chat/${await chatbot({}, other)}`, other);
  expect(body).toContain('src="/parley/widget.js"');
  await other.end();
});

test('an address that asks for too many pages gets 429', async () => {
  // More than two minutes allow, since one may end meanwhile.
  const answers = await Promise.all(Array.from({ length: 101 }, () => get('/chat/AAAAAAAAAAAA')));
  expect(answers.map(({ status }) => status)).toContain(429);
});
