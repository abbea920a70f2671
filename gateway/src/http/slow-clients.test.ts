import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { heapUsed, until } from '@parley/runtime/testing';
import { type World, world } from '../testing/world.ts';
import { createBodyBudget } from './body-budget.ts';

const MIB = 1024 * 1024;
const PATIENCE_MS = 50_000;
const POLL_MS = 100;
const budget = createBodyBudget({ maxBytes: 64 * MIB, maxBytesPerKey: 64 * MIB });

let w: World;
beforeAll(async () => {
  w = await world({ bodyMs: 2_000 }, {}, { budget });
});
afterAll(() => w.end());

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

interface Client {
  socket: Socket;
  received: string;
}

function client(): Client {
  const socket = connect(w.port, '127.0.0.1');
  const one = { socket, received: '' };
  socket
    .on('error', () => {})
    .on('data', (data) => {
      one.received += data;
    });
  sockets.push(socket);
  return one;
}

/** Sends a byte every 50 ms, as long as the connection is open. */
function drip({ socket }: Client, bytes: string): void {
  let at = 0;
  const timer = setInterval(() => socket.write(bytes[at++ % bytes.length]!), 50);
  socket.once('close', () => clearInterval(timer));
}

const head = (headers = '') =>
  `POST /v1/knowledge/faq HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${w.account.key}\r\nContent-Type: application/json\r\n${headers}`;

/** Connections of this process, on both sides. */
const connections = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

/** Bytes that each client sends at once, and those that it drips. */
const DRIPPED: (() => [before: string, dripped: string])[] = [
  () => ['GET /', 'x'],
  () => [head(), 'X-Slow: a\r\n'],
  () => [head('Content-Length: 1000000\r\n\r\n'), ' '],
  () => [head('Transfer-Encoding: chunked\r\n\r\n'), '1\r\n \r\n'],
];

test('clients that drip headers, a body or chunks are cut off with 408, however many, and others are served meanwhile', async () => {
  const slow = Array.from({ length: 100 }, client);
  for (const [i, one] of slow.entries()) {
    const [before, dripped] = DRIPPED[i % DRIPPED.length]!();
    one.socket.write(before);
    drip(one, dripped);
  }
  const isOver = async () => {
    expect((await w.get('/me')).status).toBe(200);
    return slow.every(({ socket }) => socket.closed);
  };
  await until(isOver, Boolean, PATIENCE_MS, POLL_MS);
  // What was sent meanwhile may reset a connection before its last bytes are read.
  const answered = slow.filter(({ received }) => received !== '');
  expect(answered.length).toBeGreaterThan(0);
  for (const { received } of answered) expect(received).toMatch(/^HTTP\/1\.1 408 .*"success":false/s);
  expect(budget.held()).toBe(0);
});

test('a client that hangs up at any byte of a request leaves nothing behind', async () => {
  const { upload_url } = (await w.post('/knowledge/document', { file_type: 'text/plain' })).body.data;
  const path = upload_url.slice(upload_url.indexOf('/v1/'));
  const file = 'Twenty bytes of file';
  const requests = [
    `${head('Content-Length: 16\r\n\r\n')}{"title": "Half"}`.slice(0, -1),
    `${head('Transfer-Encoding: chunked\r\n\r\n')}9\r\n{"title":\r\n7\r\n "Half"\r\n1\r\n}\r\n0\r\n\r\n`,
    `PUT ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${file.length}\r\n\r\n${file}`,
  ];
  const before = {
    created: w.knowledge.state.created,
    files: await readdir(w.dir, { recursive: true }),
    connections: connections(),
  };
  for (const request of requests) {
    for (let sent = 0; sent < request.length; sent++) {
      const { socket } = client();
      await once(socket, 'connect');
      // Half of them end the connection, the others break it.
      socket.write(request.slice(0, sent), () => (sent % 2 ? socket.end() : socket.resetAndDestroy()));
    }
  }
  await until(() => connections() <= before.connections && budget.held() === 0, Boolean, PATIENCE_MS, POLL_MS);
  expect(w.knowledge.state.created).toBe(before.created);
  expect(w.knowledge.state.uploads.size).toBe(0);
  expect(await readdir(w.dir, { recursive: true })).toEqual(before.files);
  expect((await w.get('/me')).status).toBe(200);
});

test('a client that does not read its answers is cut off, and one that reads slowly is not', async () => {
  const { id } = (await w.post('/knowledge/faq', { title: 'Long' })).body.data;
  const answer = '🙂'.repeat(50_000);
  for (let i = 0; i < 18; i++) await w.post(`/knowledge/${id}/faq-item`, { question: 'Why?', answer });
  const page = `/v1/knowledge/${id}/faq-items?limit=100`;
  const read = `GET ${page} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${w.account.key}\r\n\r\n`;
  const before = connections();
  const deaf = Array.from({ length: 5 }, client);
  for (const { socket } of deaf) {
    socket.pause();
    socket.write(read.repeat(3));
  }
  const slow = client();
  slow.socket.on('data', () => {
    slow.socket.pause();
    setTimeout(() => slow.socket.resume(), 20);
  });
  slow.socket.write(read.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  await once(slow.socket, 'close');
  expect(JSON.parse(slow.received.slice(slow.received.indexOf('\r\n\r\n'))).data.items).toHaveLength(18);
  // Their own sides stay open: who does not read does not learn the end.
  await until(() => connections() <= before + deaf.length, Boolean, PATIENCE_MS, POLL_MS);
});

test('a thousand idle connections keep nobody from being served, hold little memory, and are closed in the end', async () => {
  const MAX_BYTES_EACH = 64 * 1024;
  const before = await heapUsed();
  const idle = Array.from({ length: 1_000 }, client);
  for (const [i, { socket }] of idle.entries()) if (i % 2) socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  const isIdle = ({ socket, received }: Client, i: number) => (i % 2 ? received !== '' : !socket.connecting);
  await until(() => idle.every(isIdle), Boolean, PATIENCE_MS, POLL_MS);
  expect((await w.get('/me')).status).toBe(200);
  // Of both sides, which are in this process.
  expect(((await heapUsed()) - before) / idle.length).toBeLessThan(MAX_BYTES_EACH);
  await until(() => idle.every(({ socket }, i) => i % 2 || socket.closed), Boolean, PATIENCE_MS, POLL_MS);
});
