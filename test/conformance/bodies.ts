import { describe, expect, test } from '@jest/globals';
import { must } from '../e2e/api.ts';
import type { Chatbot, FaqItem, KnowledgeItem } from '../e2e/resources.ts';
import { a, baseUrl, mine } from './given.ts';

const { api } = a;
const { ids } = mine;

const MIB = 1024 * 1024;
const FAQ_ITEM = `/knowledge/${ids.faq}/faq-item`;
const REPLY = `/chatbot/${ids.chatbot}/reply`;
/** Each route that takes a body, with one that is right. */
const TAKING: [path: string, method: string, body: Record<string, unknown>][] = [
  ['/knowledge/website', 'POST', { website_url: 'https://example.com/' }],
  ['/knowledge/faq', 'POST', { title: 'Questions' }],
  [FAQ_ITEM, 'POST', { question: 'Why?', answer: 'So.' }],
  ['/chatbots', 'POST', { title: 'Help' }],
  [REPLY, 'POST', { message: 'Hello?' }],
  [`/chatbot/${ids.chatbot}/knowledge`, 'PUT', { knowledge_id: ids.faq }],
  [`/chatbot/${ids.chatbot}/knowledge`, 'DELETE', { knowledge_id: ids.faq }],
  ['/api-keys', 'POST', { name: 'CI', scopes: [] }],
];

const utf8 = (text: string) => new TextEncoder().encode(text);

describe.each(TAKING)('a body of %s by %s', (path, method, body) => {
  const send = (raw: unknown, headers?: Record<string, string>) =>
    api.request(method, path, { body: raw, ...(headers && { headers }) });
  const statusOf = async (raw: unknown, headers?: Record<string, string>) => (await send(raw, headers)).status;
  const [firstField = ''] = Object.keys(body);

  test('is JSON by its Content-Type, or a 415', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonx',
      'application/xml',
      'nonsense',
    ])
      expect([type, await statusOf(body, { 'content-type': type })]).toEqual([type, 415]);
    expect(await statusOf(utf8(JSON.stringify(body)), { 'content-type': '' })).toBe(415);
  });

  test('is an object of JSON, or a 400', async () => {
    for (const raw of [
      '{"a": 1',
      '{',
      'nope',
      '[]',
      '"text"',
      '1',
      'null',
      'true',
      '{} {}',
      "{'a': 1}",
      '{"a": 01}',
      '{"a": NaN}',
      '[{}]',
      ' ',
    ])
      expect([raw, await statusOf(raw)]).toEqual([raw, 400]);
    expect(await statusOf(`${'['.repeat(100_000)}`)).toBe(400);
    expect(await statusOf(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`)).toBe(400);
  });

  test('is UTF-8 without NUL or half a character, or a 400', async () => {
    const field = (text: string) => JSON.stringify({ ...body, [firstField]: '#' }).replace('#', text);
    const [before = '', after = ''] = field('|').split('|');
    for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xe2, 0x82], [0xf5, 0x80, 0x80, 0x80]])
      expect([bytes, await statusOf(Uint8Array.from([...utf8(before), ...bytes, ...utf8(after)]))]).toEqual([
        bytes,
        400,
      ]);
    for (const escaped of ['a\\u0000b', 'a\\ud800b', 'a\\udc00', '\\ud83d\\ud83d', '\\udc00\\ud800', 'a\nb'])
      expect([escaped, await statusOf(field(escaped))]).toEqual([escaped, 400]);
  });

  test('is there, and names what it lacks', async () => {
    expect([400, 415]).toContain(await statusOf(undefined));
    expect(await statusOf('', { 'content-type': 'application/json' })).toBe(400);
    for (const field of Object.keys(body)) {
      for (const wrong of [undefined, null, 7, true, {}, [7], ['a', null], '', '   ']) {
        if (field === 'scopes' && wrong !== undefined && !Array.isArray(wrong) === false && wrong.length === 0)
          continue;
        const refused = await send({ ...body, [field]: wrong });
        expect({ field, wrong, status: refused.status }).toEqual({ field, wrong, status: 400 });
        expect(refused.body.message).toContain(field);
      }
    }
  });

  test('is at most 1 MiB, or a 413, however it is sent', async () => {
    const padded = (bytes: number) => {
      const bare = JSON.stringify({ ...body, padding: '' });
      return JSON.stringify({ ...body, padding: 'x'.repeat(bytes - bare.length) });
    };
    expect(await statusOf(padded(MIB + 1))).toBe(413);
    expect(await chunked(method, path, padded(MIB + 1))).toBe(413);
    // One that is not too large is judged by what it says.
    expect(await statusOf(padded(MIB).replace('"padding"', 'padding '))).toBe(400);
  });
});

async function chunked(method: string, path: string, text: string): Promise<number> {
  const headers = { authorization: `Bearer ${a.key}`, 'content-type': 'application/json' };
  const body = new Blob([text]).stream();
  const response = await fetch(`${baseUrl}${path}`, { method, headers, body, duplex: 'half' } as RequestInit);
  expect(await response.json()).toMatchObject({ success: false });
  return response.status;
}

describe('a body is read with leniency where it does no harm', () => {
  const faq = (body: unknown, type = 'application/json') =>
    api.request<KnowledgeItem>('POST', '/knowledge/faq', { body, headers: { 'content-type': type } });

  test('in any case of the type, with a charset', async () => {
    for (const type of ['APPLICATION/JSON', 'application/json; charset=utf-8', 'application/json;charset=UTF-8'])
      expect((await faq({ title: 'T' }, type)).status).toBe(200);
  });

  test('with fields that nobody knows, and exactly 1 MiB', async () => {
    expect(must(await faq({ title: 'T', colour: 'red', id: 'mine' })).id).not.toBe('mine');
    const bare = JSON.stringify({ title: 'T', padding: '' });
    expect((await faq(JSON.stringify({ title: 'T', padding: 'x'.repeat(MIB - bare.length) }))).status).toBe(200);
  });

  test('with __proto__, which is dropped, and doubles, of which the last wins', async () => {
    expect((await faq('{"__proto__": {"title": "T"}}')).status).toBe(400);
    expect(must(await faq('{"title": "T", "__proto__": {"description": "no"}}')).description).toBe(null);
    expect(must(await faq('{"title": "first", "title": "last"}')).title).toBe('last');
    expect((await faq('{"title": "T", "constructor": {"prototype": {}}}')).status).toBe(200);
  });

  test('with text of any script, stored as sent', async () => {
    for (const title of [' T ', '$where', '{{x}}', '<b>ü</b>', '日本語 🙂 ‮', 'a.b$c', 'tab\tand\nline', '\\u0000'])
      expect(must(await faq({ title })).title).toBe(title);
  });

  test('on a route without a body, when it is empty, of any type', async () => {
    const headers = { 'content-type': 'text/plain' };
    expect((await api.request('GET', '/me', { headers })).status).toBe(200);
    expect((await api.request('PUT', `/knowledge/${ids.faq}/train`, { headers, body: '' })).status).toBe(200);
    await a.settled({ id: ids.faq });
  });
});

describe('lengths are counted in code points', () => {
  const faq = (body: object) => api.post<KnowledgeItem>('/knowledge/faq', { title: 'T', ...body });
  const item = (body: object) => api.post<FaqItem>(FAQ_ITEM, { question: 'Q', answer: 'A', ...body });
  const address = (length: number) => 'https://example.com/'.padEnd(length, 'a');
  const word = (n: number) => '🙂'.repeat(n);

  test.each<[string, number, (length: number) => Promise<{ status: number; body: { message: string } }>]>([
    ['title', 200, (n) => faq({ title: word(n) })],
    ['description', 2_000, (n) => faq({ description: word(n) })],
    ['title', 200, (n) => api.post('/chatbots', { title: word(n) })],
    ['name', 200, (n) => api.post('/api-keys', { name: word(n), scopes: [] })],
    ['question', 1_000, (n) => item({ question: word(n) })],
    ['answer', 50_000, (n) => item({ answer: word(n) })],
    ['categories', 20, (n) => item({ categories: Array.from({ length: n }, (_, i) => `c${i}`) })],
    ['categories', 64, (n) => item({ categories: [word(n)] })],
    ['source_url', 2_048, (n) => item({ source_url: address(n) })],
    ['website_url', 2_048, (n) => api.post('/knowledge/website', { website_url: address(n) })],
    ['message', 10_000, (n) => api.post(REPLY, { message: word(n) })],
  ])('%s: %i', async (field, most, send) => {
    expect((await send(most)).status).toBe(200);
    const refused = await send(most + 1);
    expect({ field, status: refused.status }).toEqual({ field, status: 400 });
    expect(refused.body.message).toContain(field);
  });
});

describe('values', () => {
  const website = (website_url: unknown) => api.post<KnowledgeItem>('/knowledge/website', { website_url });

  test.each([
    ['https://example.com', 'https://example.com/'],
    ['HTTP://Example.COM:80/a/../b?q=1#part', 'http://example.com/b?q=1'],
    ['https://exämple.com/ü', 'https://xn--exmple-cua.com/%C3%BC'],
    ['https://example.com:8443/docs/', 'https://example.com:8443/docs/'],
  ])('the address %p becomes %p', async (sent, stored) => {
    expect(must(await website(sent)).base_url).toBe(stored);
  });

  test.each([
    'example.com',
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://',
    'https://',
    'http:example.com',
    '//example.com',
    'https://user@example.com/',
    'https://user:secret@example.com/',
    'https://exa mple.com/',
    'https://example.com:99999/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://0x0a000001/',
    'http://192.168.1.1:8080/x',
  ])('the address %p is refused', async (address) => {
    const refused = await website(address);
    expect(refused).toMatchObject({ status: 400 });
    expect(refused.body.message).not.toContain('secret');
  });

  test('a private address is refused by naming the setting', async () => {
    expect((await website('http://10.1.2.3/')).body.message).toContain('CRAWL_ALLOW');
  });

  test.each(['ftp://example.com', 'example.com/x', 'javascript:alert(1)', ' ', 'https://'])(
    'the source_url %p is refused',
    async (source_url) => {
      expect((await api.post(FAQ_ITEM, { question: 'Q', answer: 'A', source_url })).status).toBe(400);
    },
  );

  test('a blank category is refused', async () => {
    for (const categories of [[''], ['a', '  '], 'a', [1]])
      expect((await api.post(FAQ_ITEM, { question: 'Q', answer: 'A', categories })).status).toBe(400);
  });

  test.each([
    'https://example.com',
    'example.com/path',
    'a b',
    '',
    '*',
    '*.',
    'example.com:',
    'example.com:99999',
    'a.*.com',
    'user@example.com',
    'example.com?x',
  ])('the domain %p is refused', async (domain) => {
    const refused = await api.post<Chatbot>('/chatbots', { title: 'T', allowed_domains: [domain] });
    expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining('allowed_domains') } });
  });
});

test('nothing that was refused was stored', async () => {
  const chatbots = must(await api.get<Chatbot[]>('/chatbots'));
  expect(chatbots.every(({ title, allowed_domains }) => title.trim() && allowed_domains.length === 0)).toBe(true);
  const items = await api.all<KnowledgeItem>('/knowledge');
  expect(items.filter(({ base_url }) => base_url && !/^https?:\/\/(example\.com|xn--)/.test(base_url))).toEqual([]);
});
