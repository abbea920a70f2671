import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { issue, mountCertificate, until } from '@parley/runtime/testing';
import { type World, world } from '../testing/world.ts';

let dir: string;
let w: World;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'parley-https-'));
  await issue(dir, 'ca');
  for (const name of ['first', 'second']) await issue(dir, name, { by: 'ca' });
  await mountCertificate(join(dir, 'mounted'), dir, 'first', ['ca']);
  const mounted = (file: string) => join(dir, 'mounted', file);
  w = await world({}, { tls: { cert: mounted('tls.crt'), key: mounted('tls.key') } });
});
afterAll(async () => {
  await w.end();
  await rm(dir, { recursive: true });
});

async function open(port = w.port): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', ca: await readFile(join(dir, 'ca.crt')) });
  await once(socket, 'secureConnect');
  return socket;
}

/** Sends a request on the connection and reads its response. */
async function ask(socket: TLSSocket, request = 'GET /v1/me', body = ''): Promise<string> {
  let received = '';
  socket.on('data', (data) => {
    received += data;
  });
  const type = `Content-Type: application/json\r\nContent-Length: ${body.length}`;
  const headers = `Host: a.example\r\nAuthorization: Bearer ${w.account.key}\r\n${type}`;
  socket.write(`${request} HTTP/1.1\r\n${headers}\r\n\r\n${body}`);
  await until(() => /\r\n\r\n.*}$/s.test(received));
  socket.removeAllListeners('data');
  return received;
}

test('the API listens for HTTPS, and says so in the addresses that it gives', async () => {
  const socket = await open();
  expect(await ask(socket)).toMatch(/^HTTP\/1.1 200 /);
  const pending = await ask(socket, 'POST /v1/knowledge/document', JSON.stringify({ file_type: 'text/plain' }));
  expect(pending).toContain('"upload_url":"https://a.example/v1/');
  socket.destroy();
});

test('a client that speaks plaintext there is cut off', async () => {
  const socket = connectPlain(w.port, '127.0.0.1').on('error', () => {});
  socket.write('GET /v1/me HTTP/1.1\r\nHost: x\r\n\r\n');
  let received = '';
  socket.on('data', (data) => {
    received += data;
  });
  await once(socket, 'close');
  expect(received).toBe('');
});

test('a renewed certificate is shown to new clients, and older connections go on', async () => {
  const older = await open();
  await mountCertificate(join(dir, 'mounted'), dir, 'second', ['ca']);
  await until(async () => {
    const newer = await open();
    const { subject } = newer.getPeerCertificate();
    newer.destroy();
    return subject.CN === 'second';
  });
  expect(await ask(older)).toMatch(/^HTTP\/1.1 200 /);
  older.destroy();
});

test('it stops at once although a client has connected and asked nothing', async () => {
  const mounted = (file: string) => join(dir, 'mounted', file);
  const other = await world({}, { tls: { cert: mounted('tls.crt'), key: mounted('tls.key') }, graceMs: 600_000 });
  const idle = await open(other.port);
  const closed = once(idle, 'close');
  await other.end();
  await closed;
});
