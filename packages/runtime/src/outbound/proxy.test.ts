import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { bounds, clientFor, ending, failure, listen, refused, serve } from './testing/servers.ts';

test("requests go through the operator's proxy, which is told its password", async () => {
  const origin = await serve((_, response) => response.end('through'));
  const asked: unknown[] = [];
  const proxy = createServer();
  proxy.on('connect', (request, client) => {
    asked.push(request.url, request.headers['proxy-authorization']);
    const server = connect(Number(new URL(origin).port), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      server.pipe(client).pipe(server);
    });
    server.on('error', () => client.destroy());
    client.on('error', () => server.destroy());
  });
  const port = await listen(proxy);
  ending(() => proxy.close());
  const client = clientFor([], undefined, `http://ada:s%40cret@127.0.0.1:${port}`);
  expect((await client.get('http://video.example/a', bounds)).body.toString()).toBe('through');
  expect(asked).toEqual(['video.example:80', `Basic ${Buffer.from('ada:s@cret').toString('base64')}`]);
  expect(await failure(client.get('http://127.0.0.1/', bounds))).toEqual(refused(/private/));
});
