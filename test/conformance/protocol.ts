import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { eachClass, methodsClass } from './classes.ts';
import { described, resolved } from './description.ts';
import { a, baseUrl, mine, readsOurSites } from './given.ts';
import {
  FORM_OPERATIONS,
  fill,
  isForVisitors,
  methodsOf,
  OPERATIONS,
  PATHS,
  shapeOf,
  VISITOR_OPERATIONS,
} from './operations.ts';

const { api } = a;
const { ids, chatbot } = mine;

describe('X-Request-Id', () => {
  const sent = async (id?: string) =>
    (await api.request('GET', '/me', { headers: id === undefined ? {} : { 'x-request-id': id } })).headers.get(
      'x-request-id',
    );

  test("is the caller's if well formed, and generated otherwise", async () => {
    for (const id of ['a', 'A.b_c-9', 'x'.repeat(64)]) expect(await sent(id)).toBe(id);
    for (const id of ['x'.repeat(65), 'a b', 'a/b', 'ü', '<x>', '']) expect(await sent(id)).toMatch(/^[\w.-]{1,64}$/);
    for (const id of ['x'.repeat(65), 'a b', '<x>']) expect(await sent(id)).not.toBe(id);
    expect(await sent()).not.toBe(await sent());
  });

  test('is set on refusals too', async () => {
    const headers = { 'x-request-id': 'mine-1' };
    for (const [as, method, path] of [
      [undefined, 'GET', '/me'],
      [a.key, 'GET', '/nothing'],
      [a.key, 'PUT', '/me'],
    ] as const) {
      const refused = await api.as(as && `Bearer ${as}`).request(method, path, { headers });
      expect(refused.headers.get('x-request-id')).toBe('mine-1');
    }
  });
});

describe.each(eachClass(PATHS, methodsClass))('%s', (path) => {
  const methods = methodsOf(path);
  const isFile = OPERATIONS.some((row) => row.path === path && row.file);
  const isMissing = OPERATIONS.some((row) => row.path === path && row.missing);
  const at = fill(path, ids);

  test('answers OPTIONS with the allowed methods and no content', async () => {
    const { status, headers, text } = await api.request('OPTIONS', at);
    expect({ status, text }).toEqual({ status: 204, text: '' });
    expect(headers.get('allow')!.split(/,\s*/)).toEqual(expect.arrayContaining(methods));
    expect(headers.get('access-control-allow-origin')).toBe(null);
  });

  if (methods.includes('GET') && !isFile) {
    test('answers HEAD like GET, without a body', async () => {
      const head = await api.request('HEAD', at);
      const get = await api.request('GET', at);
      expect({ status: head.status, text: head.text }).toEqual({ status: get.status, text: '' });
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
      expect((await api.as(undefined).request('HEAD', at)).status).toBe(401);
    });

    test('accepts a trailing slash', async () => {
      expect((await api.get(`${at}/`)).body).toEqual((await api.get(at)).body);
      expect((await api.get(`${at}/?limit=1`)).status).toBe(isMissing ? 404 : 200);
    });
  }

  test('is case-sensitive', async () => {
    const shouted = path.replace(/(?<=\/)[a-z-]+/, (word) => word.toUpperCase());
    expect((await api.get(fill(shouted, ids))).status).toBe(404);
  });
});

test('a trailing slash works with a body, HEAD is not allowed where GET is not, and OPTIONS on an unknown route is a 404', async () => {
  expect((await api.post('/knowledge/faq/', { title: 'T' })).status).toBe(200);
  expect((await api.request('HEAD', `/chatbot/${ids.chatbot}/reply`)).status).toBe(405);
  expect((await api.request('OPTIONS', '/nothing')).status).toBe(404);
});

test('the authentication scheme is case-insensitive', async () => {
  for (const scheme of ['bearer', 'BEARER', 'BeArEr'])
    expect((await api.as(`${scheme} ${a.key}`).get('/me')).status).toBe(200);
});

test('ids are case-insensitive, public ids are not', async () => {
  expect((await api.get(`/knowledge/${ids.faq.toUpperCase()}`)).status).toBe(200);
  expect((await api.get(`/chatbot/${ids.chatbot}/chats/${ids.chat.toUpperCase()}`)).status).toBe(200);
  expect((await api.get(`/chatbot/${chatbot.public_id}`)).status).toBe(200);
  const other = [...chatbot.public_id].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('');
  if (other !== chatbot.public_id) expect([400, 404]).toContain((await api.get(`/chatbot/${other}`)).status);
});

describe('the OpenAPI description', () => {
  test('needs no key, and has version 3.1', async () => {
    const { openapi, info } = await described(baseUrl);
    expect(openapi).toMatch(/^3\.1\./);
    expect(info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
  });

  test('lists exactly the operations, and marks extensions of the contract', async () => {
    const { operations } = await described(baseUrl);
    const listed = operations
      .filter(({ path }) => !/openapi\.json|upload/.test(path))
      .map(
        ({ method, path, operation }) =>
          `${method} ${shapeOf(path)}${operation['x-parley-extension'] ? ' extension' : ''}`,
      );
    const forBrowsers = [...VISITOR_OPERATIONS, ...FORM_OPERATIONS].map((row) => ({ ...row, extension: true }));
    const expected = [...OPERATIONS, ...forBrowsers].map(
      ({ method, path, extension }) => `${method} ${shapeOf(path)}${extension ? ' extension' : ''}`,
    );
    expect([...new Set(listed)].sort()).toEqual([...new Set(expected)].sort());
  });

  test('has no dangling references and no duplicate path parameters', async () => {
    const description = await described(baseUrl);
    for (const [, pointer] of JSON.stringify(description).matchAll(/"\$ref":"(#\/[^"]+)"/g))
      expect([pointer, typeof resolved(description, { $ref: pointer! })]).toEqual([pointer, 'object']);
    for (const path of Object.keys(description.paths)) {
      const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  test('describes the statuses that every operation can have', async () => {
    for (const { method, path, operation } of (await described(baseUrl)).operations) {
      if (/openapi\.json|upload/.test(path) || isForVisitors(path)) continue;
      const row = OPERATIONS.find((one) => one.method === method && shapeOf(one.path) === shapeOf(path))!;
      const ids = /\{/.test(path);
      const expected = ['200', '401', '429', ...(row.scope || ids ? ['403'] : []), ...(ids ? ['400', '404'] : [])];
      expect([method, path, Object.keys(operation.responses)]).toEqual([
        method,
        path,
        expect.arrayContaining(expected),
      ]);
    }
  });
});

const gateway = new URL(baseUrl);

/** A proxy in front of a deployment answers these itself. */
const direct = readsOurSites && !process.env.PARLEY_STACK ? describe : describe.skip;

direct('malformed HTTP', () => {
  async function raw(text: string | Buffer): Promise<string> {
    const socket = connect(Number(gateway.port || 80), gateway.hostname);
    let answer = '';
    socket.setTimeout(5_000, () => socket.destroy(new Error(`no answer to ${text.toString().slice(0, 60)}`)));
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    // Some refusals close the connection while the rest is still being sent.
    socket.on('error', () => {});
    socket.write(text);
    await once(socket, 'close');
    return answer;
  }
  const key = `Authorization: Bearer ${a.key}\r\n`;
  const host = 'Host: x\r\nConnection: close\r\n';
  const post = `POST /v1/knowledge/faq HTTP/1.1\r\n${host}${key}Content-Type: application/json\r\n`;

  test.each<[string, string, number]>([
    ['garbage', 'garbage\r\n\r\n', 400],
    ['bytes of TLS', '\x16\x03\x01\x02\x00\x01\x00', 400],
    ['an unknown method', `FOO /v1/me HTTP/1.1\r\n${host}${key}\r\n`, 400],
    ['a header without a name', `GET /v1/me HTTP/1.1\r\n${host}: x\r\n\r\n`, 400],
    ['a header with a line feed alone', `GET /v1/me HTTP/1.1\r\nHost: x\n\rX\r\n\r\n`, 400],
    ['no Host', 'GET /v1/me HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['a space in the address', `GET /v1/a b HTTP/1.1\r\n${host}\r\n`, 400],
    ['headers of 100 kB', `GET /v1/me HTTP/1.1\r\n${host}X: ${'x'.repeat(100_000)}\r\n\r\n`, 431],
    ['two lengths', `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400],
    ['a length and chunks', `${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
    ['a length that is none', `${post}Content-Length: x\r\n\r\n{}`, 400],
    ['a chunk that is none', `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
    ['an unknown expectation', `${post}Expect: miracles\r\nContent-Length: 2\r\n\r\n{}`, 417],
    ['an escape that is none', `GET /v1/knowledge/%ZZ HTTP/1.1\r\n${host}${key}\r\n`, 400],
    ['half a character in the address', `GET /v1/knowledge/%ff HTTP/1.1\r\n${host}${key}\r\n`, 400],
    ['a NUL in the address', `GET /v1/knowledge/%00 HTTP/1.1\r\n${host}${key}\r\n`, 400],
    ['a NUL in the query', `GET /v1/knowledge?next_cursor=%00 HTTP/1.1\r\n${host}${key}\r\n`, 400],
    ['an escape that is none in the query', `GET /v1/knowledge?limit=%ZZ HTTP/1.1\r\n${host}${key}\r\n`, 400],
    ['an address of dots', `GET /v1/../v1/nothing HTTP/1.1\r\n${host}${key}\r\n`, 404],
    ['an asterisk', `OPTIONS * HTTP/1.1\r\n${host}${key}\r\n`, 404],
    ['two keys', `GET /v1/me HTTP/1.1\r\n${host}${key}${key}\r\n`, 200],
  ])('%s', async (_, text, status) => {
    const answer = await raw(text);
    expect(answer.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
    expect(answer).toMatch(/\r\nx-request-id: [\w.-]{1,64}\r\n/i);
    expect(answer).toMatch(/\r\ncontent-type: application\/json/i);
    expect(answer.slice(answer.indexOf('\r\n\r\n') + 4)).toMatch(
      status === 200 ? /^\{"success":true/ : /\{"success":false,"message":"[^"]+"\}/,
    );
  });

  test('CONNECT and upgrades are answered with the envelope too', async () => {
    expect(await raw(`CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n`)).toMatch(/^HTTP\/1\.1 4\d\d.*"success":false/s);
    expect(
      await raw(
        `GET /v1/nothing HTTP/1.1\r\nHost: x\r\n${key}Connection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`,
      ),
    ).toMatch(/^HTTP\/1\.1 404.*"success":false/s);
  });

  test('the system is healthy afterwards', async () => {
    expect((await api.get('/me')).status).toBe(200);
    expect((await fetch(new URL('/healthz', baseUrl))).status).toBe(200);
    expect((await fetch(new URL('/readyz', baseUrl))).status).toBe(200);
  });
});
