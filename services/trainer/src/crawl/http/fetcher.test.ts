import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime';
import { createOutboundClients, parseAllowList } from '@parley/runtime/outbound';
import { createFetcher } from './fetcher.ts';

test("what one account may reach is refused to another, even while the first one's connection is open", async () => {
  const server = createServer((_, response) => response.end('internal')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const [acme, other] = [randomId(), randomId()];
  const allow = parseAllowList(`localhost:${port}@${acme}`);
  const fetchers = createOutboundClients({ allow, userAgent: 'test' }, createFetcher);
  const read = async (account: string) => {
    const options = { maxBytes: 100, timeoutMs: 5_000 };
    return (await fetchers.of(account).get(`http://localhost:${port}/`, options)).body.toString();
  };
  expect(await read(acme)).toBe('internal');
  await expect(read(other)).rejects.toThrow('CRAWL_ALLOW');
  expect(await read(acme)).toBe('internal');
  await fetchers.close();
  server.close();
});
