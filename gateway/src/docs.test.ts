import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type World, world } from './testing/world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w.end());

test('the description is a web page that needs no key and loads everything from the gateway', async () => {
  const page = await w.call('GET', '/docs', { key: undefined });
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
  const loaded = [...page.body.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path!);
  expect(loaded.length).toBe(4);
  for (const path of loaded) {
    const asset = await w.call('GET', path, { key: undefined });
    expect([path, asset.status, asset.body.length > 0]).toEqual([path, 200, true]);
  }
  expect((await w.call('GET', '/docs/../package.json', { key: undefined })).status).toBe(401);
});
