import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { imagesIn, pinned } from './list.ts';

const DIGEST = `sha256:${'a'.repeat(64)}`;

test('the images of all kinds of containers are found, each once', () => {
  const pod = (...images: string[]) => ({ containers: images.map((image) => ({ name: 'c', image })) });
  expect(
    imagesIn([
      { kind: 'Deployment', spec: { template: { spec: { ...pod('r/b:1'), initContainers: [{ image: 'r/a:1' }] } } } },
      { kind: 'CronJob', spec: { jobTemplate: { spec: { template: { spec: pod('r/c:1', 'r/b:1') } } } } },
      { kind: 'Pod', spec: pod('r/d@sha256:1') },
      { kind: 'ConfigMap', data: { image: 'none' } },
      null,
    ]),
  ).toEqual(['r/a:1', 'r/b:1', 'r/c:1', 'r/d@sha256:1']);
});

/** A registry with one image, which tells it to whoever has fetched a token. */
const registry = createServer((request, response) => {
  const { url = '', method, headers } = request;
  const self = `http://${headers.host}`;
  if (url === '/token?service=registry&scope=repository%3Aparley%2Fauth%3Apull') response.end('{"token": "t"}');
  else if (headers.authorization !== 'Bearer t')
    response
      .writeHead(401, {
        'www-authenticate': `Bearer realm="${self}/token",service="registry",scope="repository:parley/auth:pull"`,
      })
      .end();
  else if (method === 'HEAD' && url === '/v2/parley/auth/manifests/0.1.0' && headers.accept?.includes('image.index'))
    response.writeHead(200, { 'docker-content-digest': DIGEST }).end();
  else response.writeHead(404).end();
});
let host: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(registry.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => registry.close(resolve)));

test('an image is named with the digest that its registry has, and one that has a digest keeps it', async () => {
  expect(await pinned(`${host}/parley/auth:0.1.0`)).toBe(`${host}/parley/auth:0.1.0@${DIGEST}`);
  expect(await pinned(`nowhere.invalid/x@${DIGEST}`)).toBe(`nowhere.invalid/x@${DIGEST}`);
  await expect(pinned(`${host}/parley/auth:0.2.0`)).rejects.toThrow('0.2.0 (status 404)');
});
