import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type World, world } from '../testing/world.ts';

let w: World;
beforeAll(async () => {
  w = await world({ bodyMs: 500 });
});
afterAll(() => w.end());

const json = { 'content-type': 'application/json' };
const send = (body: string | Uint8Array, headers: Record<string, string> = json) =>
  w.call('POST', '/v1/knowledge/faq', { body, headers });

const broken: [what: string, body: string | Uint8Array, says: RegExp][] = [
  ['broken JSON', '{"title": ', /not valid JSON/],
  ['an array', '[]', /must be a JSON object/],
  ['null', 'null', /must be a JSON object/],
  ['invalid UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x7d), /UTF-8/],
  ['a NUL', '{"title": "a\\u0000b"}', /^title must not contain a NUL/],
  ['a NUL in a field that is ignored', '{"title": "a", "x": [{"y": "\\u0000"}]}', /^x\[0\]\.y/],
  ['half a surrogate pair', '{"title": "\\ud800"}', /^title contains half/],
  ['half a surrogate pair in a name', '{"title": "a", "\\udc00": 1}', /half/],
  ['100,000 levels', `{"title": ${'['.repeat(1e5)}${']'.repeat(1e5)}}`, /levels/],
  ['a number for text', '{"title": 5}', /^title must be a string/],
  ['null for required text', '{"title": null}', /^title is required/],
  ['blank text', '{"title": " \\t "}', /^title must not be blank/],
];

test.each(broken)('400: %s', async (_what, body, says) => {
  const answer = await send(body);
  expect(answer).toMatchObject({ status: 400, body: { success: false, message: expect.stringMatching(says) } });
});

test('a missing body is 400, and a route without a body accepts any content type', async () => {
  expect(await w.call('POST', '/v1/knowledge/faq')).toMatchObject({
    status: 400,
    body: { message: 'title is required.' },
  });
  const { id } = (await w.post('/knowledge/faq', { title: 'T' })).body.data;
  const trained = await w.call('PUT', `/v1/knowledge/${id}/train`, { headers: { 'content-type': 'text/csv' } });
  expect(trained.status).toBe(200);
});

test.each([
  ['application/json; charset=utf-8', 200],
  ['Application/JSON;charset="UTF-8"', 200],
  ['application/json; charset=latin1', 415],
  ['application/vnd.api+json', 415],
  ['text/plain', 415],
  ['', 415],
])('Content-Type %j is %i', async (type, status) => {
  expect((await send(Buffer.from('{"title": "T"}'), type ? { 'content-type': type } : {})).status).toBe(status);
});

test('a compressed body is 415', async () => {
  expect((await send('{"title": "T"}', { ...json, 'content-encoding': 'gzip' })).status).toBe(415);
});

test('exactly 1 MiB is accepted, a byte more is 413', async () => {
  const [start, end] = ['{"title": "T", "x": "', '"}'];
  const ofSize = (size: number) => start + 'x'.repeat(size - start.length - end.length) + end;
  expect((await send(ofSize(1024 * 1024))).status).toBe(200);
  expect((await send(ofSize(1024 * 1024 + 1))).status).toBe(413);
  expect((await send(ofSize(5 * 1024 * 1024))).status).toBe(413);
});

test('__proto__ is dropped, the last of duplicate fields counts, and unknown fields are ignored', async () => {
  const answer = await send('{"title": "first", "__proto__": {"description": "evil"}, "title": "last", "extra": 1}');
  expect(answer.body.data).toMatchObject({ title: 'last', description: null });
});

test('null for an optional field means absent, and text is stored as sent', async () => {
  const absent = await send('{"title": "T", "description": null}');
  expect(absent.body.data.description).toBeNull();
  const sent = await send('{"title": " T ", "description": "  "}');
  expect(sent.body.data).toMatchObject({ title: ' T ', description: '  ' });
});

test('lengths are counted in code points', async () => {
  expect((await send(JSON.stringify({ title: '😀'.repeat(200) }))).status).toBe(200);
  expect(await send(JSON.stringify({ title: '😀'.repeat(201) }))).toMatchObject({
    status: 400,
    body: { message: 'title must have at most 200 characters.' },
  });
});

const head = (extra: string) =>
  `POST /v1/knowledge/faq HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${w.account.key}\r\n${extra}`;

test.each([
  ['garbage', () => 'NONSENSE\r\n\r\n', 400],
  ['a header that is too large', () => head(`X: ${'x'.repeat(20_000)}\r\n\r\n`), 431],
  ['no Host', () => 'GET /v1/me HTTP/1.1\r\n\r\n', 400],
  ['a broken chunk', () => head('Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'), 400],
  ['an unknown expectation', () => head('Expect: 200-ok\r\nContent-Length: 0\r\n\r\n'), 417],
  ['a target that is no address', () => 'GET http://[bad HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
  ['CONNECT', () => 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n', 405],
  ['a body that never ends', () => head('Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{'), 408],
])('what HTTP itself refuses comes in the envelope: %s', async (_what, request, status) => {
  const answer = await w.raw(request());
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answer).toMatch(/x-request-id: /i);
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({
    success: false,
    message: expect.any(String),
  });
});
