import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { must } from '../e2e/api.ts';
import type { KnowledgeItem } from '../e2e/resources.ts';
import { classOf, eachClass } from './classes.ts';
import { a, baseUrl, mine } from './given.ts';
import { fill, OPERATIONS } from './operations.ts';

const { api } = a;
const { ids } = mine;

const MIB = 1024 * 1024;
/** The operations that take a body, with a valid one. */
const TAKING = eachClass(
  OPERATIONS.filter(({ body }) => body),
  (row) => `${row.method} ${classOf(row)}`,
).map((row) => ({ ...row, at: fill(row.path, ids), body: row.body! }));

const utf8 = (text: string) => new TextEncoder().encode(text);

describe.each(TAKING)('the body of $method $path', ({ at, method, body: valid }) => {
  const body = valid();
  const send = (raw: unknown, headers?: Record<string, string>) =>
    api.request(method, at, { body: raw, ...(headers && { headers }) });
  const statusOf = async (raw: unknown, headers?: Record<string, string>) => (await send(raw, headers)).status;
  const [firstField = ''] = Object.keys(body);

  test('must have a JSON Content-Type, or the status is 415', async () => {
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

  test('must be a JSON object, or the status is 400', async () => {
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

  test('must be UTF-8 without NUL or lone surrogates, or the status is 400', async () => {
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

  test('is required', async () => {
    // A change that changes nothing succeeds.
    if (method === 'PATCH') return;
    expect([400, 415]).toContain(await statusOf(undefined));
    expect(await statusOf('', { 'content-type': 'application/json' })).toBe(400);
  });

  test('is at most 1 MiB, chunked or not, or the status is 413', async () => {
    const padded = (bytes: number) => {
      const bare = JSON.stringify({ ...body, padding: '' });
      return JSON.stringify({ ...body, padding: 'x'.repeat(bytes - bare.length) });
    };
    expect(await statusOf(padded(MIB + 1))).toBe(413);
    expect(await chunked(method, at, padded(MIB + 1))).toBe(413);
    // A body within the limit is parsed.
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

describe('a body is accepted', () => {
  const faq = (body: unknown, type = 'application/json') =>
    api.request<KnowledgeItem>('POST', '/knowledge/faq', { body, headers: { 'content-type': type } });

  test('with any letter case in its Content-Type, and with a charset', async () => {
    for (const type of ['APPLICATION/JSON', 'application/json; charset=utf-8', 'application/json;charset=UTF-8'])
      expect((await faq({ title: 'T' }, type)).status).toBe(200);
  });

  test('with unknown fields, and at exactly 1 MiB', async () => {
    expect(must(await faq({ title: 'T', colour: 'red', id: 'mine' })).id).not.toBe('mine');
    const bare = JSON.stringify({ title: 'T', padding: '' });
    expect((await faq(JSON.stringify({ title: 'T', padding: 'x'.repeat(MIB - bare.length) }))).status).toBe(200);
  });

  test('with __proto__, which is dropped, and with duplicate fields, where the last wins', async () => {
    expect((await faq('{"__proto__": {"title": "T"}}')).status).toBe(400);
    expect(must(await faq('{"title": "T", "__proto__": {"description": "no"}}')).description).toBe(null);
    expect(must(await faq('{"title": "first", "title": "last"}')).title).toBe('last');
    expect((await faq('{"title": "T", "constructor": {"prototype": {}}}')).status).toBe(200);
  });

  test('with text in any script, stored as sent', async () => {
    for (const title of [' T ', '$where', '{{x}}', '<b>ü</b>', '日本語 🙂 ‮', 'a.b$c', 'tab\tand\nline', '\\u0000'])
      expect(must(await faq({ title })).title).toBe(title);
  });

  test('with any Content-Type on a route without a body, if it is empty', async () => {
    const headers = { 'content-type': 'text/plain' };
    expect((await api.request('GET', '/me', { headers })).status).toBe(200);
    expect(
      (await api.request('DELETE', `/knowledge/${ids.faq}/faq-item/${randomUUID()}`, { headers, body: '' })).status,
    ).toBe(404);
    const at = `/knowledge/${ids.document}/finalize`;
    expect((await api.request('POST', at, { headers, body: '' })).status).toBe(200);
  });
});
