import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type World, world } from '../testing/world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w.end());

const get = (path: string, headers: Record<string, string> = {}) => w.call('GET', path, { key: undefined, headers });
/** The address of the panel in a language, as the launcher has it. */
const panel = async (language = 'en') =>
  `/widget/${/[0-9a-f]{16}/.exec((await get('/widget.js')).body)![0]}/${language}.js`;

test('the widget needs no key, and loads on any page', async () => {
  for (const path of ['/widget.js', await panel(), await panel('fa')]) {
    const { status, headers } = await get(path);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  }
});

test('the launcher is asked for again after minutes, its panel never', async () => {
  const launcher = await get('/widget.js');
  expect(launcher.headers.get('cache-control')).toBe('public, max-age=300, must-revalidate');
  const etag = launcher.headers.get('etag')!;
  // Not with fetch, which would ask for a reload.
  const asked = (header: string) =>
    w.raw(`GET /widget.js HTTP/1.1\r\nHost: x\r\n${header}\r\nConnection: close\r\n\r\n`);
  const known = await asked(`If-None-Match: ${etag}`);
  expect(known).toMatch(/^HTTP\/1.1 304 /);
  expect(known).toContain(`ETag: ${etag}\r\n`);
  expect(known).toMatch(/\r\n\r\n$/);
  expect(await asked('If-None-Match: W/"another"')).toMatch(/^HTTP\/1.1 200 /);
  expect((await get(await panel())).headers.get('cache-control')).toContain('immutable');
});

test('a launcher of another release gets this one’s panel, which is not kept', async () => {
  const { status, headers } = await get('/widget/0123456789abcdef/en.js');
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-cache']);
  expect((await get('/widget/0123456789abcdef/xx.js')).status).toBe(404);
  expect((await get('/widget/0123456789abcdef/__proto__')).status).toBe(404);
});

test('both are compressed for clients that accept it', async () => {
  for (const path of ['/widget.js', await panel()]) {
    const plain = await w.raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(plain).not.toMatch(/content-encoding/i);
    const response = await fetch(`${w.base}${path}`, { headers: { 'accept-encoding': 'gzip' } });
    expect([response.headers.get('content-encoding'), response.headers.get('vary')]).toEqual([
      'gzip',
      'Accept-Encoding',
    ]);
    expect(plain).toContain(await response.text());
  }
  const none = await get('/widget.js', { 'accept-encoding': 'identity;q=0' });
  expect(none.status).toBe(200);
});

test('an image serves the file that was built for it; one without it says that there is none', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'parley-widget-'));
  const widgetFile = join(dir, 'widget.json');
  const image = await world({}, { widgetFile });
  const call = (path: string) => image.call('GET', path, { key: undefined });
  expect((await call('/widget.js')).status).toBe(503);
  await writeFile(
    widgetFile,
    JSON.stringify({ version: 'v', launcher: 'l()', launcherVersion: 'x', panels: { en: 'p()' } }),
  );
  expect((await call('/widget.js')).body).toBe('l()');
  expect((await call('/widget/v/en.js')).body).toBe('p()');
  await image.end();
  await rm(dir, { recursive: true });
});
