import { createServer as createTcpServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import type { Resolve } from './connector.ts';
import { bounds, clientFor, ending, failure, listen, network, refused, serve, tooLarge } from './testing/servers.ts';

test('the values of a header that was sent more than once can be told apart', async () => {
  const origin = await serve((_, response) =>
    response.writeHead(200, { 'x-robots-tag': ['a: noindex', 'nofollow, b: none'], etag: '"1"' }).end(),
  );
  const { headers, repeated } = await clientFor([origin]).get(origin, bounds);
  expect(headers['etag']).toBe('"1"');
  expect(repeated).toEqual({ 'x-robots-tag': ['a: noindex', 'nofollow, b: none'] });
});

test('a page arrives decompressed, with its final address and the redirects before it', async () => {
  const origin = await serve((request, response) => {
    if (request.url === '/old') response.writeHead(301, { location: '/new?b=1' }).end();
    else if (request.url === '/br') response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync('br'));
    else if (request.url === '/deflate')
      response.writeHead(200, { 'content-encoding': 'deflate' }).end(deflateSync('deflate'));
    else
      response
        .writeHead(200, { 'content-encoding': 'gzip', etag: '"1"' })
        .end(gzipSync(request.headers['user-agent']!));
  });
  const client = clientFor([origin]);
  const page = await client.get(`${origin}/old`, bounds);
  expect(page).toMatchObject({ url: `${origin}/new?b=1`, status: 200, redirects: [`${origin}/old`] });
  expect(page.headers['etag']).toBe('"1"');
  expect(page.body.toString()).toBe('ParleyBot/test');
  for (const coding of ['br', 'deflate'])
    expect((await client.get(`${origin}/${coding}`, bounds)).body.toString()).toBe(coding);
});

test('a literal private address is refused, naming CRAWL_ALLOW, and nothing is sent', async () => {
  let asked = 0;
  const origin = await serve((_, response) => response.end(String(asked++)));
  const { port } = new URL(origin);
  const client = clientFor([]);
  for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]'])
    expect(await failure(client.get(`http://${host}:${port}/`, bounds))).toEqual(refused(/CRAWL_ALLOW/));
  expect(asked).toBe(0);
});

test('a name that resolves to loopback is refused, and the message does not reveal the address', async () => {
  const origin = await serve((_, response) => response.end());
  const sentence = 'localhost is a private address; CRAWL_ALLOW lists the private addresses that may be read.';
  const loading = clientFor([]).get(`http://localhost:${new URL(origin).port}/`, bounds);
  expect(await failure(loading)).toEqual({ kind: 'refused', sentence });
});

test('a redirect to a private address is refused', async () => {
  const inside = await serve((_, response) => response.end('secret'));
  const origin = await serve((_, response) => response.writeHead(302, { location: inside }).end());
  expect(await failure(clientFor([origin]).get(origin, bounds))).toEqual(refused(/127\.0\.0\.1 is a private address/));
  const byName = await serve((_, response) =>
    response.writeHead(302, { location: inside.replace('127.0.0.1', 'localhost') }).end(),
  );
  expect(await failure(clientFor([byName]).get(byName, bounds))).toEqual(refused(/localhost is a private address/));
});

test('the headers of a request follow it within its origin only', async () => {
  const other = await serve((request, response) => response.end(request.headers['if-none-match'] ?? 'none'));
  const origin = await serve((request, response) => {
    if (request.url === '/here') response.end(request.headers['if-none-match'] ?? 'none');
    else response.writeHead(302, { location: request.url === '/' ? '/here' : other }).end();
  });
  const client = clientFor([origin, other]);
  const asked = { ...bounds, headers: { 'if-none-match': '"1"' } };
  const bodyOf = async (path: string) => String((await client.get(`${origin}${path}`, asked)).body);
  expect([await bodyOf('/'), await bodyOf('/away')]).toEqual(['"1"', 'none']);
});

test('a redirect to another scheme or to an address with credentials is refused', async () => {
  const origin = await serve((request, response) =>
    response.writeHead(302, { location: decodeURIComponent(request.url!.slice(1)) }).end(),
  );
  const client = clientFor([origin]);
  expect(await failure(client.get(`${origin}/file:%2F%2F%2Fetc%2Fpasswd`, bounds))).toEqual(refused(/http and https/));
  expect(await failure(client.get(`${origin}/http:%2F%2Fa:b@example.org`, bounds))).toEqual(refused(/password/));
});

test('a name is looked up once per connection, and only its vetted addresses are tried', async () => {
  const origin = await serve((_, response) => response.end('here'));
  const { port } = new URL(origin);
  let lookups = 0;
  const rebinding: Resolve = async () => {
    lookups++;
    return lookups === 1 ? [{ address: '127.0.0.1', family: 4 }] : [{ address: '10.0.0.1', family: 4 }];
  };
  const client = clientFor([origin], rebinding);
  expect((await client.get(`http://docs.example:${port}/`, bounds)).body.toString()).toBe('here');
  expect(lookups).toBe(1);

  const mixed: Resolve = async () => [
    { address: '::1', family: 6 },
    { address: '127.0.0.1', family: 4 },
  ];
  expect((await clientFor([origin], mixed).get(`http://docs.example:${port}/`, bounds)).status).toBe(200);
});

test('a lookup that never ends times out', async () => {
  const client = clientFor([], () => new Promise(() => {}));
  const loading = client.get('http://docs.example/', { ...bounds, timeoutMs: 200 });
  expect(await failure(loading)).toEqual({ kind: 'timeout', timeoutMs: 200 });
});

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
] as const)('a %s bomb is cut off at its bound', async (coding, compress) => {
  const bomb = compress(Buffer.alloc(50_000_000));
  const origin = await serve((_, response) => response.writeHead(200, { 'content-encoding': coding }).end(bomb));
  expect(bomb.length).toBeLessThan(100_000);
  expect(await failure(clientFor([origin]).get(origin, bounds))).toEqual(tooLarge);
});

test('stacked and damaged compressions are refused', async () => {
  const origin = await serve((request, response) => {
    const coding = request.url === '/twice' ? 'gzip, gzip' : 'gzip';
    response.writeHead(200, { 'content-encoding': coding }).end('not gzip');
  });
  const client = clientFor([origin]);
  expect(await failure(client.get(`${origin}/twice`, bounds))).toEqual({
    kind: 'unknown_coding',
    coding: 'gzip, gzip',
  });
  expect(await failure(client.get(`${origin}/broken`, bounds))).toEqual(network('Z_DATA_ERROR'));
});

test('a body over the limit is refused, whether or not it declares its length, or cut on request', async () => {
  const origin = await serve((request, response) => {
    if (request.url === '/announced') response.setHeader('content-length', 200_000);
    response.write(Buffer.alloc(150_000, 'x'));
    response.end(Buffer.alloc(50_000, 'x'));
  });
  const client = clientFor([origin]);
  for (const path of ['/announced', '/streamed']) {
    expect(await failure(client.get(origin + path, bounds))).toEqual(tooLarge);
    expect((await client.get(origin + path, { ...bounds, truncate: true })).body.length).toBe(100_000);
  }
});

test('a server that drips its body, or its headers, times out', async () => {
  const origin = await serve((request, response) => {
    if (request.url === '/head') return;
    const drip = setInterval(() => response.write('.'), 20);
    response.on('close', () => clearInterval(drip));
  });
  const client = clientFor([origin]);
  for (const path of ['/head', '/body']) {
    const loading = client.get(origin + path, { ...bounds, timeoutMs: 300 });
    expect(await failure(loading)).toEqual({ kind: 'timeout', timeoutMs: 300 });
  }
});

test('five redirects are followed; more, and a redirect to nowhere, are refused', async () => {
  const origin = await serve((request, response) => {
    const location = request.url === '/bad' ? 'http://[' : `/${Number(request.url!.slice(1)) + 1}`;
    if (request.url === '/6') response.end('here');
    else response.writeHead(302, { location }).end();
  });
  const client = clientFor([origin]);
  expect(String((await client.get(`${origin}/1`, bounds)).body)).toBe('here');
  expect(await failure(client.get(`${origin}/0`, bounds))).toEqual({ kind: 'too_many_redirects', max: 5 });
  expect(await failure(client.get(`${origin}/bad`, bounds))).toEqual({ kind: 'bad_redirect' });
});

test('oversized headers, garbage and a closed connection have a code', async () => {
  const servers: [string, string][] = [
    ['UND_ERR_HEADERS_OVERFLOW', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`],
    ['not_http', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['UND_ERR_SOCKET', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'],
  ];
  for (const [code, answer] of servers) {
    const server = createTcpServer((socket) => socket.on('error', () => {}).end(answer));
    const origin = `http://127.0.0.1:${await listen(server)}`;
    ending(() => server.close());
    expect(await failure(clientFor([origin]).get(origin, bounds))).toEqual(network(code));
  }
});

test('a refused connection and an unknown name have a code', async () => {
  const server = createTcpServer();
  const origin = `http://127.0.0.1:${await listen(server)}`;
  await new Promise((closed) => server.close(closed));
  expect(await failure(clientFor([origin]).get(origin, bounds))).toEqual(network('ECONNREFUSED'));
  const unknown = async () => Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }));
  const loading = clientFor([], unknown).get('http://nowhere.example/', bounds);
  expect(await failure(loading)).toEqual(network('ENOTFOUND', 'nowhere.example'));
});

test('an aborted signal ends a request with its own reason', async () => {
  const abort = new AbortController();
  const origin = await serve(() => abort.abort(new Error('stopped')));
  await expect(clientFor([origin]).get(origin, { ...bounds, signal: abort.signal })).rejects.toThrow('stopped');
});

test('a caller may decline a body by its headers, and a redirect by its target', async () => {
  const origin = await serve((request, response) => {
    if (request.url === '/away') response.writeHead(302, { location: 'http://other.example/' }).end();
    else response.writeHead(200, { 'content-type': 'image/png' }).end('png');
  });
  const client = clientFor([origin]);
  const declined = await client.get(`${origin}/png`, { ...bounds, accept: ({ headers }) => !headers['content-type'] });
  expect(declined.body.length).toBe(0);
  const away = await client.get(`${origin}/away`, { ...bounds, follow: (target) => target.origin === origin });
  expect(away).toMatchObject({ status: 302, url: `${origin}/away`, redirect: new URL('http://other.example/') });
});

test('an address of more than 2,048 characters is neither requested nor followed', async () => {
  const long = `/${'x'.repeat(2_048)}`;
  const asked: string[] = [];
  const origin = await serve((request, response) => {
    asked.push(request.url!);
    response.writeHead(302, { location: long.repeat(10) }).end();
  });
  const client = clientFor([origin]);
  const tooLong = { kind: 'address_too_long', maxLength: 2_048 };
  expect(await failure(client.get(origin + long, bounds))).toEqual(tooLong);
  expect(await failure(client.get(`${origin}/`, bounds))).toEqual(tooLong);
  expect(asked).toEqual(['/']);
});

test('a failed response leaves no connection open', async () => {
  let closed = () => {};
  const isClosed = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const origin = await serve((_, response) => {
    response.on('close', closed).writeHead(302, { location: 'http://[' }).write('more to come');
  });
  expect(await failure(clientFor([origin]).get(origin, bounds))).toEqual({ kind: 'bad_redirect' });
  await isClosed;
});

test('a body is sent within the same bounds, and no redirect takes it elsewhere', async () => {
  const origin = await serve(async (request, response) => {
    if (request.url === '/away') return response.writeHead(307, { location: '/echo' }).end('moved');
    if (request.url === '/large') return response.end('x'.repeat(100_001));
    return response.end(`${request.method} ${request.headers['content-type']} ${await text(request)}`);
  });
  const client = clientFor([origin]);
  const json = { ...bounds, headers: { 'content-type': 'application/json' } };
  expect((await client.post(`${origin}/echo`, '{}', json)).body.toString()).toBe('POST application/json {}');
  expect(await client.post(`${origin}/away`, '{}', bounds)).toMatchObject({
    status: 307,
    redirect: new URL(`${origin}/echo`),
  });
  expect(await failure(client.post(`${origin}/large`, '{}', bounds))).toEqual(tooLarge);
  expect(await failure(client.post('http://10.0.0.1/', '{}', bounds))).toEqual(refused(/private/));
});
