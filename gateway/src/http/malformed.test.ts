import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type World, world } from '../testing/world.ts';

let w: World;
/** Titles of the FAQs that requests have created. */
const created: string[] = [];
beforeAll(async () => {
  // A request whose end never comes is given up soon.
  w = await world({ bodyMs: 1_000 });
  w.knowledge.state.beforeCreate = async (title) => void created.push(title);
});
beforeEach(() => {
  created.length = 0;
});
afterAll(() => w.end());

const CLOSE = 'Connection: close\r\n';
const authorized = () => `Host: x\r\nAuthorization: Bearer ${w.account.key}\r\n`;
const get = (headers = '') => `GET /v1/me HTTP/1.1\r\n${authorized()}${headers}\r\n`;
const bodyOf = (title: string) => JSON.stringify({ title });
const framed = (headers: string, body: string) =>
  `POST /v1/knowledge/faq HTTP/1.1\r\n${authorized()}Content-Type: application/json\r\n${headers}\r\n${body}`;
const create = (title: string, headers = '') =>
  framed(`${headers}Content-Length: ${bodyOf(title).length}\r\n`, bodyOf(title));

/** The status of each response; throws for bytes that belong to none. */
function statuses(received: string): number[] {
  const found: number[] = [];
  for (let rest = received; rest !== ''; ) {
    const [head, status] = /^HTTP\/1\.1 (\d{3}) [^\0]*?\r\n\r\n/.exec(rest) ?? [];
    if (head === undefined) throw new Error(`not a response: ${rest}`);
    const length = Number(/\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1] ?? 0);
    const body = Buffer.from(rest.slice(head.length)).subarray(0, length).toString();
    if (status !== '100') expect(JSON.parse(body)).toMatchObject({ success: status === '200' });
    found.push(Number(status));
    rest = rest.slice(head.length + body.length);
  }
  return found;
}

describe('malformed HTTP is refused in the envelope, and the connection closed', () => {
  test.each<[what: string, request: () => string | Buffer, statuses?: number[]]>([
    ['a line without a method', () => `/v1/me HTTP/1.1\r\n${authorized()}\r\n`],
    ['a method in lower case', () => get().replace('GET', 'get')],
    ['a line with a tab for a space', () => get().replace(' /v1', '\t/v1')],
    ['a line with three words too many', () => get().replace('HTTP', 'a b HTTP')],
    ['a line without a version', () => get().replace(' HTTP/1.1', '')],
    ['HTTP/0.9', () => 'GET /v1/me\r\n\r\n'],
    ['HTTP/1.2', () => get().replace('HTTP/1.1', 'HTTP/1.2')],
    ['HTTP/2.0 in a line', () => get().replace('HTTP/1.1', 'HTTP/2.0')],
    ['the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'],
    ['a NUL in the target', () => get().replace('/v1/me', '/v1/\0me')],
    ['a byte beyond ASCII in the target', () => Buffer.from(get().replace('/v1/me', '/v1/m\xe9'), 'latin1')],
    ['a target of 20,000 characters', () => get().replace('/v1/me', `/v1/me?${'x'.repeat(20_000)}`), [431]],
    ['a header without a colon', () => get('X-Nothing\r\n')],
    ['a space before the colon', () => get('X-Space : a\r\n')],
    ['a space in the name', () => get('X Space: a\r\n')],
    ['a NUL in a value', () => get('X-Nul: a\0b\r\n')],
    ['a NUL in a name', () => get('X-\0Nul: a\r\n')],
    ['a folded header', () => get('X-Folded: a\r\n b\r\n')],
    ['a folded first header', () => get().replace('\r\nHost', '\r\n Host')],
    ['a carriage return alone in a value', () => get('X-Cr: a\rb\r\n')],
    ['two thousand headers', () => get('X: 12345678\r\n'.repeat(2_000)), [431]],
    ['a length with a sign', () => framed('Content-Length: +14\r\n', bodyOf('a'))],
    ['a negative length', () => framed('Content-Length: -1\r\n', bodyOf('a'))],
    ['a hexadecimal length', () => framed('Content-Length: 0xd\r\n', bodyOf('a'))],
    ['a list of lengths', () => framed('Content-Length: 13, 13\r\n', bodyOf('a'))],
    ['the same length twice', () => framed('Content-Length: 13\r\nContent-Length: 13\r\n', bodyOf('a'))],
    ['a length beyond all numbers', () => framed(`Content-Length: ${'9'.repeat(30)}\r\n`, bodyOf('a'))],
    ['a length that is more than what comes', () => framed('Content-Length: 20\r\n', bodyOf('a')), [408]],
    ['a chunk size beyond all numbers', () => framed('Transfer-Encoding: chunked\r\n', `${'f'.repeat(17)}\r\n`)],
    ['a chunk that is longer than its size', () => framed('Transfer-Encoding: chunked\r\n', '1\r\n{}\r\n0\r\n\r\n')],
    ['a negative chunk', () => framed('Transfer-Encoding: chunked\r\n', '-1\r\n\r\n')],
    ['chunk extensions of 20 kB', () => framed('Transfer-Encoding: chunked\r\n', `1;${'x'.repeat(20_000)}\r\n`), [413]],
    [
      'trailers of 20 kB',
      () => framed('Transfer-Encoding: chunked\r\n', `0\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`),
      [431],
    ],
    ['chunks that never end', () => framed('Transfer-Encoding: chunked\r\n', '1\r\n{\r\n'), [408]],
    [
      'CONNECT with a request behind it',
      () => `CONNECT x:80 HTTP/1.1\r\n${authorized()}\r\n${create('tunnelled')}`,
      [405],
    ],
  ])('%s', async (_what, request, expected = [400]) => {
    expect(statuses(await w.raw(request()))).toEqual(expected);
    expect(created).toEqual([]);
    expect((await w.get('/me')).status).toBe(200);
  });
});

describe('unusual HTTP is served', () => {
  test.each<[what: string, request: () => string, statuses: number[]]>([
    ['HTTP/1.0', () => get().replace('HTTP/1.1', 'HTTP/1.0'), [200]],
    ['an absolute target', () => get(CLOSE).replace('/v1/me', 'http://elsewhere.example/v1/me'), [200]],
    ['line feeds alone before a request', () => `\r\n\r\n${get(CLOSE)}`, [200]],
    ['an upgrade to WebSocket', () => get('Connection: Upgrade, close\r\nUpgrade: websocket\r\n'), [200]],
    [
      'an upgrade to HTTP/2',
      () => get('Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: \r\n'),
      [200],
    ],
    ['an expectation that is met', () => create('expected', `${CLOSE}Expect: 100-continue\r\n`), [100, 200]],
    [
      'small chunk extensions',
      () => framed(`${CLOSE}Transfer-Encoding: chunked\r\n`, `d;a=b\r\n${bodyOf('a')}\r\n0\r\n\r\n`),
      [200],
    ],
    [
      'a GET with a body',
      () => get(`${CLOSE}Content-Type: application/json\r\nContent-Length: 2\r\n`).concat('{}'),
      [200],
    ],
  ])('%s', async (_what, request, expected) => {
    expect(statuses(await w.raw(request()))).toEqual(expected);
  });
});

describe('a request smuggled behind another is never executed', () => {
  const smuggled = () => create('smuggled', CLOSE);
  const CHUNKED = 'Transfer-Encoding: chunked\r\n';
  /** One reader takes the smuggled request for a part of the body, another for a request. */
  test.each<[what: string, headers: (body: string) => string]>([
    ['length and chunks', (body) => `Content-Length: ${body.length}\r\n${CHUNKED}`],
    ['chunks and length', (body) => `${CHUNKED}Content-Length: ${body.length}\r\n`],
    ['a short and a long length', (body) => `Content-Length: 5\r\nContent-Length: ${body.length}\r\n`],
    ['a long and a short length', (body) => `Content-Length: ${body.length}\r\nContent-Length: 5\r\n`],
    ['two encodings', () => `${CHUNKED}Transfer-Encoding: identity\r\n`],
    ['an encoding after chunks', () => 'Transfer-Encoding: chunked, identity\r\n'],
    ['an unknown encoding', () => 'Transfer-Encoding: xchunked\r\n'],
    ['an encoding in quotes', () => 'Transfer-Encoding: "chunked"\r\n'],
    ['a vertical tab before the encoding', () => 'Transfer-Encoding: \x0bchunked\r\n'],
    ['a space before the colon', (body) => `Transfer-Encoding : chunked\r\nContent-Length: ${body.length}\r\n`],
    ['a folded encoding', (body) => `Transfer-Encoding:\r\n chunked\r\nContent-Length: ${body.length}\r\n`],
    ['a folded length', (body) => `X: a\r\n Content-Length: 5\r\nContent-Length: ${body.length}\r\n`],
    ['a line feed alone', (body) => `X: a\nTransfer-Encoding: chunked\r\nContent-Length: ${body.length}\r\n`],
    ['a carriage return alone', (body) => `X: a\rTransfer-Encoding: chunked\r\nContent-Length: ${body.length}\r\n`],
  ])('%s', async (_what, headers) => {
    const body = `0\r\n\r\n${smuggled()}`;
    const received = statuses(await w.raw(framed(headers(body), body)));
    expect({ received, created }).toEqual({ received: [400], created: [] });
  });

  test.each<[what: string, chunks: string]>([
    ['a line feed alone after a size', '0\n\r\n'],
    ['a line feed in a chunk extension', '0;a\nb\r\n\r\n'],
    ['a carriage return in a chunk extension', '0;a\rb\r\n\r\n'],
    ['spaces after a size', '0 \t\r\n\r\n'],
    ['a size with a prefix', '0x0\r\n\r\n'],
    ['no end of line after a chunk', '1\r\nz0\r\n\r\n'],
  ])('%s', async (_what, chunks) => {
    const received = statuses(await w.raw(framed(CHUNKED, `${chunks}${smuggled()}`)));
    expect({ received, created }).toEqual({ received: [400], created: [] });
  });

  test('HTTP/1.0 with chunks', async () => {
    const request = framed(CHUNKED, `0\r\n\r\n${smuggled()}`).replace('HTTP/1.1', 'HTTP/1.0');
    await w.raw(request);
    expect(created).toEqual([]);
  });

  test('in the body of a GET, or of a request that is refused early', async () => {
    const body = smuggled();
    const length = `Content-Length: ${body.length}\r\n`;
    await w.raw(get(`${length}${CLOSE}`) + body);
    await w.raw(`POST /v1/nowhere HTTP/1.1\r\n${authorized()}${length}${CLOSE}\r\n${body}`);
    await w.raw(`POST /v1/knowledge/faq HTTP/1.1\r\nHost: x\r\n${length}${CLOSE}\r\n${body}`);
    await w.raw(`OPTIONS /v1/me HTTP/1.1\r\n${authorized()}${length}${CLOSE}\r\n${body}`);
    expect(created).toEqual([]);
  });
});

describe('pipelined requests', () => {
  test('are answered in their order', async () => {
    const titles = Array.from({ length: 20 }, (_, i) => `title ${i}`);
    const received = await w.raw(titles.map((title) => create(title)).join('') + get(CLOSE));
    expect(statuses(received)).toEqual(Array(21).fill(200));
    expect(received.match(/title \d+/g)).toEqual(titles);
  });

  test('keep their answers if what follows them is malformed', async () => {
    expect(statuses(await w.raw(`${create('first')}${create('second')}NONSENSE\r\n\r\n`))).toEqual([200, 200, 400]);
    expect(created.sort()).toEqual(['first', 'second']);
  });
});

/** Ends with a whole response in the envelope. */
const isAnswered = (received: string) => /\r\n\r\n\{"success".*\}$/s.test(received);

test('no request with a few bytes changed fails, or keeps others from being served', async () => {
  const change = fc.record({
    at: fc.nat(300),
    remove: fc.nat(3),
    insert: fc.oneof(
      fc.uint8Array({ maxLength: 3 }),
      fc.constantFrom('\r\n', '\n', '\r', '\0', ' ', ':', '\r\n\r\n', '%'),
    ),
  });
  const request = fc.tuple(fc.boolean(), fc.array(change, { minLength: 1, maxLength: 4 })).map(([isRead, changes]) => {
    let bytes = Buffer.from(isRead ? get(CLOSE) : create('changed', CLOSE));
    for (const { at, remove, insert } of changes)
      bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(insert), bytes.subarray(at + remove)]);
    return bytes;
  });
  await fc.assert(
    // Side by side, since those that lost their end wait for a timeout.
    fc.asyncProperty(fc.array(request, { minLength: 100, maxLength: 100 }), async (requests) => {
      const received = await Promise.all(requests.map((bytes) => w.raw(bytes, { enough: isAnswered })));
      expect(received.flatMap(statuses).filter((status) => status >= 500)).toEqual([]);
      expect((await w.get('/me')).status).toBe(200);
    }),
    { numRuns: 2 },
  );
});
