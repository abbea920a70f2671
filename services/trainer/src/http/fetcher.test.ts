import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, expect, test } from '@jest/globals';
import { parseAllowList } from '@parley/corpus/guard';
import type { Resolve } from './connector.ts';
import { createFetcher, type Fetcher } from './fetcher.ts';
import { LoadError } from './load-error.ts';

const bounds = { maxBytes: 100_000, timeoutMs: 5000 };
const ending: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ending.splice(0)) await end();
});

async function listen(server: Server | TcpServer): Promise<number> {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return (server.address() as AddressInfo).port;
}

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  const port = await listen(server);
  ending.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${port}`;
}

function fetcherFor(origins: string[], resolve?: Resolve): Fetcher {
  const pairs = origins.map((origin) => new URL(origin).host);
  const fetcher = createFetcher({ allow: parseAllowList(pairs.join()), userAgent: 'ParleyBot/test', resolve });
  ending.push(() => fetcher.close());
  return fetcher;
}

async function refusal(loading: Promise<unknown>): Promise<string> {
  const error = await loading.then(
    () => new Error('was loaded'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(LoadError);
  return (error as LoadError).message;
}

test('a page arrives without its compression, with its final address and the redirects before it', async () => {
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
  const fetcher = fetcherFor([origin]);
  const page = await fetcher.get(`${origin}/old`, bounds);
  expect(page).toMatchObject({ url: `${origin}/new?b=1`, status: 200, redirects: [`${origin}/old`] });
  expect(page.headers['etag']).toBe('"1"');
  expect(page.body.toString()).toBe('ParleyBot/test');
  for (const coding of ['br', 'deflate'])
    expect((await fetcher.get(`${origin}/${coding}`, bounds)).body.toString()).toBe(coding);
});

test('a literal private address is refused, naming CRAWL_ALLOW, and nothing is sent', async () => {
  let asked = 0;
  const origin = await serve((_, response) => response.end(String(asked++)));
  const { port } = new URL(origin);
  const fetcher = fetcherFor([]);
  for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]'])
    expect(await refusal(fetcher.get(`http://${host}:${port}/`, bounds))).toMatch(/CRAWL_ALLOW/);
  expect(asked).toBe(0);
});

test('a name that resolves to loopback is refused, and the sentence does not tell what it resolves to', async () => {
  const origin = await serve((_, response) => response.end());
  const sentence = await refusal(fetcherFor([]).get(`http://localhost:${new URL(origin).port}/`, bounds));
  expect(sentence).toBe('localhost is a private address; CRAWL_ALLOW lists the private addresses that may be read.');
});

test('a redirect to a private address is refused', async () => {
  const inside = await serve((_, response) => response.end('secret'));
  const origin = await serve((_, response) => response.writeHead(302, { location: inside }).end());
  expect(await refusal(fetcherFor([origin]).get(origin, bounds))).toMatch(/127\.0\.0\.1 is a private address/);
  const byName = await serve((_, response) =>
    response.writeHead(302, { location: inside.replace('127.0.0.1', 'localhost') }).end(),
  );
  expect(await refusal(fetcherFor([byName]).get(byName, bounds))).toMatch(/localhost is a private address/);
});

test('a redirect to another scheme or to an address with credentials is refused', async () => {
  const origin = await serve((request, response) =>
    response.writeHead(302, { location: decodeURIComponent(request.url!.slice(1)) }).end(),
  );
  const fetcher = fetcherFor([origin]);
  expect(await refusal(fetcher.get(`${origin}/file:%2F%2F%2Fetc%2Fpasswd`, bounds))).toMatch(/http and https/);
  expect(await refusal(fetcher.get(`${origin}/http:%2F%2Fa:b@example.org`, bounds))).toMatch(/password/);
});

test('a name is looked up once per connection, and only its vetted addresses are tried', async () => {
  const origin = await serve((_, response) => response.end('here'));
  const { port } = new URL(origin);
  let lookups = 0;
  const rebinding: Resolve = async () => {
    lookups++;
    return lookups === 1 ? [{ address: '127.0.0.1', family: 4 }] : [{ address: '10.0.0.1', family: 4 }];
  };
  const fetcher = fetcherFor([origin], rebinding);
  expect((await fetcher.get(`http://docs.example:${port}/`, bounds)).body.toString()).toBe('here');
  expect(lookups).toBe(1);

  const mixed: Resolve = async () => [
    { address: '::1', family: 6 },
    { address: '127.0.0.1', family: 4 },
  ];
  expect((await fetcherFor([origin], mixed).get(`http://docs.example:${port}/`, bounds)).status).toBe(200);
});

test('a lookup that never ends is given up in time', async () => {
  const fetcher = fetcherFor([], () => new Promise(() => {}));
  const sentence = await refusal(fetcher.get('http://docs.example/', { ...bounds, timeoutMs: 200 }));
  expect(sentence).toBe('The page took longer than 0.2 seconds to answer.');
});

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
] as const)('a %s bomb is cut off at its bound', async (coding, compress) => {
  const bomb = compress(Buffer.alloc(50_000_000));
  const origin = await serve((_, response) => response.writeHead(200, { 'content-encoding': coding }).end(bomb));
  expect(bomb.length).toBeLessThan(100_000);
  expect(await refusal(fetcherFor([origin]).get(origin, bounds))).toBe('The page is larger than 100 KB.');
});

test('compressions on top of each other and damaged ones are refused', async () => {
  const origin = await serve((request, response) => {
    const coding = request.url === '/twice' ? 'gzip, gzip' : 'gzip';
    response.writeHead(200, { 'content-encoding': coding }).end('not gzip');
  });
  const fetcher = fetcherFor([origin]);
  expect(await refusal(fetcher.get(`${origin}/twice`, bounds))).toMatch(/compressed in a way/);
  expect(await refusal(fetcher.get(`${origin}/broken`, bounds))).toMatch(/not compressed as it says/);
});

test('a body beyond the bound is refused, whether or not its length is announced, or cut where asked', async () => {
  const origin = await serve((request, response) => {
    if (request.url === '/announced') response.setHeader('content-length', 200_000);
    response.write(Buffer.alloc(150_000, 'x'));
    response.end(Buffer.alloc(50_000, 'x'));
  });
  const fetcher = fetcherFor([origin]);
  for (const path of ['/announced', '/streamed']) {
    expect(await refusal(fetcher.get(origin + path, bounds))).toBe('The page is larger than 100 KB.');
    expect((await fetcher.get(origin + path, { ...bounds, truncate: true })).body.length).toBe(100_000);
  }
});

test('a server that drips its body, or its head, times out', async () => {
  const origin = await serve((request, response) => {
    if (request.url === '/head') return;
    const drip = setInterval(() => response.write('.'), 20);
    response.on('close', () => clearInterval(drip));
  });
  const fetcher = fetcherFor([origin]);
  for (const path of ['/head', '/body']) {
    const sentence = await refusal(fetcher.get(origin + path, { ...bounds, timeoutMs: 300 }));
    expect(sentence).toBe('The page took longer than 0.3 seconds to answer.');
  }
});

test('more than five redirects, and a redirect to nowhere, are refused', async () => {
  const origin = await serve((request, response) =>
    response
      .writeHead(302, { location: request.url === '/bad' ? 'http://[' : `/${Number(request.url!.slice(1)) + 1}` })
      .end(),
  );
  const fetcher = fetcherFor([origin]);
  expect(await refusal(fetcher.get(`${origin}/0`, bounds))).toBe('The page redirects more than 5 times.');
  expect(await refusal(fetcher.get(`${origin}/bad`, bounds))).toMatch(/not an address/);
});

test('headers that are too large, garbage, and a connection that closes are sentences', async () => {
  const servers: [RegExp, string][] = [
    [/headers that are too large/, `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`],
    [/not HTTP/, 'SSH-2.0-OpenSSH_9.2\r\n'],
    [/closed the connection/, 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'],
  ];
  for (const [sentence, answer] of servers) {
    const server = createTcpServer((socket) => socket.on('error', () => {}).end(answer));
    const origin = `http://127.0.0.1:${await listen(server)}`;
    ending.push(() => server.close());
    expect(await refusal(fetcherFor([origin]).get(origin, bounds))).toMatch(sentence);
  }
});

test('a refused connection and an unknown name are sentences', async () => {
  const server = createTcpServer();
  const origin = `http://127.0.0.1:${await listen(server)}`;
  await new Promise((closed) => server.close(closed));
  expect(await refusal(fetcherFor([origin]).get(origin, bounds))).toBe('127.0.0.1 refused the connection.');
  const unknown = async () => Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }));
  expect(await refusal(fetcherFor([], unknown).get('http://nowhere.example/', bounds))).toBe(
    'There is no site named nowhere.example.',
  );
});

test('an aborted signal ends a request with its own reason', async () => {
  const abort = new AbortController();
  const origin = await serve(() => abort.abort(new Error('stopped')));
  await expect(fetcherFor([origin]).get(origin, { ...bounds, signal: abort.signal })).rejects.toThrow('stopped');
});

test('a caller may decline a body by its head, and a redirect by its target', async () => {
  const origin = await serve((request, response) => {
    if (request.url === '/away') response.writeHead(302, { location: 'http://other.example/' }).end();
    else response.writeHead(200, { 'content-type': 'image/png' }).end('png');
  });
  const fetcher = fetcherFor([origin]);
  const declined = await fetcher.get(`${origin}/png`, { ...bounds, accept: ({ headers }) => !headers['content-type'] });
  expect(declined.body.length).toBe(0);
  const away = await fetcher.get(`${origin}/away`, { ...bounds, follow: (target) => target.origin === origin });
  expect(away).toMatchObject({ status: 302, url: `${origin}/away` });
});
