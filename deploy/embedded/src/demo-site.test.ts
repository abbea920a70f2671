import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type DemoSite, startDemoSite } from './demo-site.ts';

let dataDir: string;
let site: DemoSite;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-site-'));
  site = (await startDemoSite({ dataDir, port: 0 }))!;
});
afterAll(async () => {
  await site.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Sends the path unchanged; fetch would normalise it. */
async function statusOf(path: string): Promise<number | undefined> {
  const port = new URL(site.url).port;
  const asked = request({ host: '127.0.0.1', port, path }).end();
  const [response] = await once(asked, 'response');
  response.resume();
  return response.statusCode;
}

test.each(['/../package.json', '/..%2fpackage.json', '/%2e%2e/package.json', '//etc/passwd', '/src', '/__proto__'])(
  'nothing but the site’s own pages is served: %s',
  async (path) => expect(await statusOf(path)).toBe(404),
);

test('each page has one address, and / redirects to the first', async () => {
  const response = await fetch(site.url);
  expect(response.url).toBe(`${site.url}index.html`);
  expect(await response.text()).toContain('Welcome to Parley');
});

test('a page that has not changed is not sent again', async () => {
  const page = `${site.url}faqs.html`;
  const { headers } = await fetch(page);
  const again = (name: string, value: string | null) => fetch(page, { headers: { [name]: value! } });
  expect((await again('If-None-Match', headers.get('ETag'))).status).toBe(304);
  expect((await again('If-None-Match', '"another"')).status).toBe(200);
  expect((await again('If-Modified-Since', headers.get('Last-Modified'))).status).toBe(304);
  expect((await again('If-Modified-Since', new Date(0).toUTCString())).status).toBe(200);
});

test('the chat is put on every page, and on nothing else', async () => {
  const page = `${site.url}faqs.html`;
  const before = await (await fetch(page)).text();
  site.embed('<script></script>');
  const response = await fetch(page);
  expect(await response.text()).toBe(before.replace('</body>', '<script></script></body>'));
  expect(await (await fetch(`${site.url}style.css`)).text()).not.toContain('<script>');
  site.embed('');
  expect((await fetch(page)).headers.get('ETag')).not.toBe(response.headers.get('ETag'));
});

test('pages are read-only', async () => {
  const head = await fetch(`${site.url}faqs.html`, { method: 'HEAD' });
  expect(head.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
  expect(Number(head.headers.get('Content-Length'))).toBeGreaterThan(1_000);
  const put = await fetch(`${site.url}faqs.html`, { method: 'PUT', body: 'x' });
  expect([put.status, put.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
});

test('the port of the first start is kept, and another program on it is left alone', async () => {
  await expect(startDemoSite({ dataDir, port: 0 })).resolves.toBeUndefined();
  const { url } = site;
  await site.stop();
  site = (await startDemoSite({ dataDir, port: 0 }))!;
  expect(site.url).toBe(url);
});

test('the first start takes any free port if the preferred one is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const fresh = await mkdtemp(join(tmpdir(), 'parley-site-'));
  const started = await startDemoSite({ dataDir: fresh, port });
  expect(new URL(started!.url).port).not.toBe(String(port));
  await started!.stop();
  other.close();
  await rm(fresh, { recursive: true });
});
