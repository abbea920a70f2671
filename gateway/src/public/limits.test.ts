import { BlockList } from 'node:net';
import { expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime/rpc';
import { until } from '@parley/runtime/testing';
import { MongoClient } from 'mongodb';
import type { GatewayConfig } from '../config.ts';
import { eventReader } from '../testing/event-stream.ts';
import { gate } from '../testing/gate.ts';
import { world } from '../testing/world.ts';

const everyone = () => {
  const proxies = new BlockList();
  proxies.addAddress('127.0.0.1');
  return proxies;
};

/** A gateway behind a proxy at this address, so that tests choose where visitors come from. */
async function opened(
  limits: Partial<GatewayConfig['limits']> = {},
  config: Partial<GatewayConfig> = {},
  chatbot: object = {},
) {
  const w = await world(limits, { trustedProxies: everyone(), ...config });
  const bot = (await w.post('/chatbots', { title: 'Help', ...chatbot })).body.data;
  const path = `/public/v1/chatbots/${bot.public_id}`;
  const headersOf = (from: string, token?: string) => ({
    'x-forwarded-for': from,
    ...(token !== undefined && { 'x-visitor-token': token }),
  });
  return {
    w,
    bot,
    path,
    headersOf,
    ask: (from: string, token?: string, headers = {}) =>
      w.call('POST', `${path}/reply`, {
        key: undefined,
        json: { message: 'Is it?' },
        headers: { ...headersOf(from, token), ...headers },
      }),
    read: (from: string) => w.call('GET', path, { key: undefined, headers: headersOf(from) }),
    replies: () => w.assistants.state.replies.size,
    async [Symbol.asyncDispose]() {
      await w.end();
    },
  };
}

const statuses = (answers: { status: number }[]) =>
  Object.fromEntries([200, 429].map((status) => [status, answers.filter((one) => one.status === status).length]));

/** Expects that what one subject sent since then was allowed as often as the limit says. */
function expectLimited(answers: { status: number }[], perMinute: number, since: number): void {
  const { 200: allowed = 0, 429: refused = 0 } = statuses(answers);
  expect(allowed).toBeGreaterThanOrEqual(Math.min(perMinute, answers.length));
  expect(allowed).toBeLessThanOrEqual(perMinute * windows(since));
  expect(allowed + refused).toBe(answers.length);
}

/** A busy machine may take longer than a window. */
const windows = (since: number) => Math.floor(Date.now() / 60_000) - Math.floor(since / 60_000) + 1;

test('a thousand visitors of one address are answered as far as the address may go, and no other address suffers', async () => {
  await using o = await opened({ visitorRequestsPerMinute: 0, visitorAddressMessagesPerMinute: 40 });
  const since = Date.now();
  const answers = await Promise.all(Array.from({ length: 1_000 }, () => o.ask('203.0.113.7')));
  expectLimited(answers, 40, since);
  expect(o.replies()).toBe(statuses(answers)[200]);
  const refused = answers.find(({ status }) => status === 429)!;
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(refused.body.message).toMatch(/address.*Try again in \d+ s\.$/);
  expect((await o.ask('203.0.113.8')).status).toBe(200);
});

test('all requests of an address are limited, whatever they ask for', async () => {
  await using o = await opened({ visitorRequestsPerMinute: 30 });
  const since = Date.now();
  const answers = await Promise.all(Array.from({ length: 100 }, () => o.read('203.0.113.7')));
  expectLimited(answers, 30, since);
  const guesses = await Promise.all(Array.from({ length: 100 }, (_, i) => o.ask('203.0.113.8', `guess-${i}`)));
  expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([401, 429]));
  expect(guesses.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(30 * windows(since));
});

test('all of an IPv6 /64 is one address', async () => {
  await using o = await opened({ visitorAddressMessagesPerMinute: 5 });
  const since = Date.now();
  const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => o.ask(`2001:db8:1:2::${i}`)));
  expectLimited(answers, 5, since);
  expect((await o.ask('2001:db8:1:3::1')).status).toBe(200);
});

test('a flood of new visitors from everywhere ends at the daily limit of the chatbot, until midnight UTC', async () => {
  const toMidnight = () => 24 * 3600 - (Math.floor(Date.now() / 1_000) % (24 * 3600));
  const most = toMidnight();
  await using o = await opened({}, {}, { visitor_messages_per_day: 25 });
  const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => o.ask(`203.0.${i}.1`)));
  expect(statuses(answers)).toEqual({ 200: 25, 429: 175 });
  expect(o.replies()).toBe(25);
  const refused = answers.find(({ status }) => status === 429)!;
  expect(refused.body.message).toContain('25 messages a day');
  const seconds = Number(refused.headers.get('retry-after'));
  expect(seconds).toBeGreaterThanOrEqual(toMidnight() - 1);
  expect(seconds).toBeLessThanOrEqual(most);
  const other = (await o.w.post('/chatbots', { title: 'Other' })).body.data;
  const elsewhere = await o.w.call('POST', `/public/v1/chatbots/${other.public_id}/reply`, {
    key: undefined,
    json: { message: 'Is it?' },
  });
  expect(elsewhere.status).toBe(200);
});

test('one visitor is limited wherever they come from', async () => {
  await using o = await opened({ visitorMessagesPerMinute: 3 });
  const token = (await o.ask('203.0.113.1')).body.data.visitor_token;
  const since = Date.now();
  const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => o.ask(`203.0.${i}.1`, token)));
  expectLimited(answers, 3, since);
});

test('limits hold while the store is unavailable', async () => {
  await using o = await opened({ visitorAddressMessagesPerMinute: 10 }, {}, { visitor_messages_per_day: 15 });
  const { uri, database } = o.w.config.mongodb;
  const mongo = new MongoClient(uri);
  // The name of a collection, as that of a view of another one, which nothing can be written to.
  const db = mongo.db(database);
  // A request that has ended may still count, and make it again.
  await until(async () => {
    await db.dropCollection('rate_limits').catch(() => {});
    return db.createCollection('rate_limits', { viewOn: 'nothing' }).then(
      () => true,
      () => false,
    );
  });
  await mongo.close();
  const since = Date.now();
  const many = (from: string) => Promise.all(Array.from({ length: 40 }, () => o.ask(from)));
  const answers = await many('203.0.113.1');
  expectLimited(answers, 10, since);
  expect(statuses([...answers, ...(await many('203.0.113.2'))])[200]).toBe(15);
});

test('replies in progress are limited by visitor and by address, streams too, and room is free again when one ends', async () => {
  await using o = await opened({ visitorReplies: 2, visitorAddressReplies: 3, visitorMessagesPerMinute: 0 });
  const token = (await o.ask('203.0.113.1')).body.data.visitor_token;
  const { state } = o.w.assistants;
  const held = gate();
  state.beforeReply = held.pass;
  const disconnect = new AbortController();
  const stream = (from: string, signal?: AbortSignal) =>
    fetch(`${o.w.base}${o.path}/reply`, {
      method: 'POST',
      headers: { ...o.headersOf(from, token), 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ message: 'Is it?' }),
      ...(signal && { signal }),
    });
  const lost = stream('203.0.113.1', disconnect.signal).catch(() => undefined);
  const first = stream('203.0.113.1');
  await held.entered;
  await until(
    () => o.ask('203.0.113.2', token),
    ({ status, body }) => status === 429 && body.message.includes('in progress'),
  );
  const others = [o.ask('203.0.113.1')];
  await until(
    () => o.ask('203.0.113.1'),
    ({ status, body }) => status === 429 && body.message.includes('in progress'),
  );
  disconnect.abort();
  await lost;
  held.open();
  expect(
    await until(
      () => o.ask('203.0.113.1', token),
      ({ status }) => status === 200,
    ),
  ).toMatchObject({ status: 200 });
  expect((await eventReader(await first).rest()).at(-1)!.event).toBe('done');
  await Promise.all(others);
});

test('a challenge that is asked for has to be passed at the proxy; who sets the header elsewhere is refused', async () => {
  const config = { challengeHeader: 'X-Challenge-Passed' };
  await using o = await opened({}, config);
  expect(await o.ask('203.0.113.1')).toMatchObject({
    status: 403,
    body: { message: expect.stringContaining('challenge') },
  });
  expect(o.replies()).toBe(0);
  expect((await o.ask('203.0.113.1', undefined, { 'x-challenge-passed': '1' })).status).toBe(200);
  expect((await o.read('203.0.113.1')).status).toBe(200);
  await using direct = await opened({}, { ...config, trustedProxies: new BlockList() });
  expect((await direct.ask('203.0.113.1', undefined, { 'x-challenge-passed': '1' })).status).toBe(403);
});

test('a repeated message is answered from what was stored, and counts once', async () => {
  await using o = await opened({}, {}, { visitor_messages_per_day: 2 });
  const key = { 'idempotency-key': randomId() };
  for (let i = 0; i < 5; i++) expect((await o.ask('203.0.113.1', undefined, key)).status).toBe(200);
  expect((await o.ask('203.0.113.1')).status).toBe(200);
  expect((await o.ask('203.0.113.1')).status).toBe(429);
  expect(o.replies()).toBe(2);
});
