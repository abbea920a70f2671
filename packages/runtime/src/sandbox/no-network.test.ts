import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

let requests = 0;
const server = createServer((_, response) => {
  requests++;
  response.end('reached');
});
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.close();
});

test('code in a reader process can not open a connection, by any module of Node, nor look up a name', async () => {
  const program = fileURLToPath(new URL('./testing/connect.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program, String(port)]);
  const outcomes = JSON.parse(stdout) as Record<string, string>;
  expect(Object.keys(outcomes)).toHaveLength(9);
  for (const [way, outcome] of Object.entries(outcomes)) expect([way, outcome]).toEqual([way, 'refused']);
  expect(requests).toBe(0);
});
