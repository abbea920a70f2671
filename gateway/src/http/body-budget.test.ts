import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { until } from '@parley/runtime/testing';
import { gate } from '../testing/gate.ts';
import { world } from '../testing/world.ts';
import { createBodyBudget } from './body-budget.ts';

const MIB = 1024 * 1024;
const LENGTH = MIB - 1_000;
const BLANKS = Buffer.alloc(LENGTH - 1, ' ');
/** 200 MB pass through one process, on a busy machine. */
const PATIENCE_MS = 50_000;

/** A gateway whose body budget is observed. */
async function watched({ maxBytes = 8 * MIB, maxBytesPerKey = 4 * MIB, bodyMs = 60_000 }) {
  const budget = createBodyBudget({ maxBytes, maxBytesPerKey });
  let peak = 0;
  const open: typeof budget.open = (...whose) => {
    const account = budget.open(...whose);
    const take = (bytes: number) => {
      account.take(bytes);
      peak = Math.max(peak, budget.held());
    };
    return { ...account, take };
  };
  const w = await world({ bodyMs }, {}, { budget: { ...budget, open } });
  return { ...w, held: budget.held, peak: () => peak };
}

const sockets: Stalled[] = [];
afterEach(() => {
  for (const { socket } of sockets.splice(0)) socket.destroy();
});

interface Stalled {
  socket: Socket;
  received: string;
  /** All bytes but the last have been sent. */
  sent: boolean;
}

/** Sends a body of just under 1 MiB, except for its last byte. */
function stall(port: number, key: string): Stalled {
  const socket = connect(port, '127.0.0.1');
  const state: Stalled = { socket, received: '', sent: false };
  socket
    .on('error', () => {})
    .on('data', (data) => {
      state.received += data;
    });
  const head = `POST /v1/knowledge/faq HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
  socket.write(`${head}Content-Length: ${LENGTH}\r\n\r\n`);
  socket.write(BLANKS, () => {
    state.sent = true;
  });
  sockets.push(state);
  return state;
}

const status = ({ received }: Stalled) => Number(received.slice(9, 12));
const create = { title: 'T', padding: 'x'.repeat(100_000) };

test('hundreds of stalled bodies of one key use no more than its share, and others are served', async () => {
  const w = await watched({});
  const all = Array.from({ length: 200 }, () => stall(w.port, w.account.key));
  await until(
    () => all.every((one) => one.sent || status(one) > 0) && all.filter((one) => status(one) > 0).length === 196,
    Boolean,
    PATIENCE_MS,
  );
  const refused = all.filter((one) => status(one) > 0);
  expect(new Set(refused.map(status))).toEqual(new Set([429]));
  expect(refused[0]!.received).toMatch(/retry-after: 1\r\n[\s\S]*This API key has 4 MiB of request bodies under way/i);
  expect(w.peak()).toBeLessThanOrEqual(4 * MIB);
  expect((await w.post('/knowledge/faq', create, { key: w.other.key })).status).toBe(200);
  for (const { socket } of all) socket.destroy();
  await until(() => w.held() === 0);
  expect((await w.post('/knowledge/faq', create)).status).toBe(200);
  await w.end();
});

test('stalled bodies of many keys of an account use no more than half of the total, and time out', async () => {
  const w = await watched({ bodyMs: 3_000 });
  const keys = Array.from({ length: 6 }, () => w.keyWith());
  const all = keys.flatMap((key) => Array.from({ length: 20 }, () => stall(w.port, key)));
  await until(() => all.every((one) => one.sent || status(one) > 0), Boolean, PATIENCE_MS);
  expect((await w.post('/knowledge/faq', create, { key: w.other.key })).status).toBe(200);
  await until(() => all.every((one) => status(one) > 0 && one.socket.closed), Boolean, PATIENCE_MS);
  expect(w.peak()).toBeLessThanOrEqual(5 * MIB);
  expect(new Set(all.map(status))).toEqual(new Set([408, 429]));
  const says = /retry-after: \d+\r\n[\s\S]*The API keys of this account together have 4 MiB/i;
  expect(all.some(({ received }) => says.test(received))).toBe(true);
  await until(() => w.held() === 0);
  expect((await w.post('/knowledge/faq', create, { key: keys[0] })).status).toBe(200);
  await w.end();
});

test('a body counts until its request has a response of any kind', async () => {
  const w = await watched({});
  const held = gate();
  w.knowledge.state.beforeCreate = held.pass;
  const request = w.post('/knowledge/faq', create);
  await held.entered;
  expect(w.held()).toBeGreaterThan(100_000);
  held.open();
  await request;
  expect(w.held()).toBe(0);

  const headers = { 'content-type': 'application/json' };
  await w.call('POST', '/v1/knowledge/faq', { body: `{${' '.repeat(100_000)}`, headers });
  await w.call('POST', '/v1/knowledge/faq', { body: ' '.repeat(3 * MIB), headers });
  await w.call('POST', '/v1/knowledge/faq', { body: ' '.repeat(100_000) });
  expect(w.held()).toBe(0);
  expect(w.peak()).toBeLessThanOrEqual(MIB);
  await w.end();
});

test('bodies in flight are limited by key, by account and in all, and what is released counts no more', () => {
  const budget = createBodyBudget({ maxBytes: 10, maxBytesPerKey: 4 });
  const one = budget.open('a', 'acme');
  one.take(4);
  expect(() => budget.open('a', 'acme').take(1)).toThrow('This API key');
  const two = budget.open('b', 'acme');
  expect(() => two.take(2)).toThrow('The API keys of this account');
  two.take(1);
  const other = budget.open('c', 'other');
  other.take(4);
  const third = budget.open('d', 'third');
  expect(() => third.take(2)).toThrow('Too many');
  one.release();
  one.release();
  expect(budget.held()).toBe(5);
  third.take(4);
  for (const each of [two, other, third]) each.release();
  expect(budget.held()).toBe(0);
});
