import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { createLog } from '@parley/runtime';
import { randomId } from '@parley/runtime/rpc';
import { freshDatabase } from '@parley/runtime/testing';
import Koa from 'koa';
import { MongoClient } from 'mongodb';
import { rateLimitStore } from '../store/rate-limit-store.ts';
import { errors } from './errors.ts';
import { rateLimit } from './rate-limit.ts';
import { createRateLimiter } from './rate-limiter.ts';
import type { State } from './state.ts';

const database = freshDatabase();
const mongo = new MongoClient(database.uri);
const stops: (() => Promise<unknown>)[] = [() => mongo.close(), database.drop];
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

const MINUTE_MS = 60_000;
/** A busy machine takes its time. */
const PATIENCE_MS = 30_000;
const log = createLog('test', 'silent');

/** The rest of a policy, and until when. */
interface Left {
  policy: string;
  remaining: number;
  seconds: number;
}

interface Answer {
  status: number;
  message: string;
  /** The items of the header RateLimit. */
  left: Left[];
  headers: Headers;
}

/**
 * Three gateways on one real database, as far as rate limits are concerned. They take the key from the path. A client's
 * requests reach them in turn. The test moves their clock.
 */
async function gateways(limits: Parameters<typeof rateLimit>[1]) {
  const clock = { now: Date.parse('2026-01-01T00:00:00Z') };
  const account = { id: randomId(), name: 'Acme' };
  const ports: number[] = [];
  for (let i = 0; i < 3; i++) {
    const store = rateLimitStore(mongo.db(database.name), { patienceMs: PATIENCE_MS });
    const limiter = createRateLimiter({ store, log, clock: () => clock.now });
    const app = new Koa<State>()
      .use(errors({ log }))
      .use(async (ctx, next) => {
        const key = { id: `${account.id}${ctx.path}`, name: 'k', scopes: [], restricted: false, expiresAt: null };
        ctx.state.identity = { account, key };
        await next();
      })
      .use(rateLimit(limiter, limits))
      .use((ctx) => {
        ctx.body = {};
      });
    const server = createServer(app.callback()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ports.push((server.address() as AddressInfo).port);
    stops.push(async () => {
      server.closeAllConnections();
      server.close();
    });
  }
  let turn = 0;
  async function ask(key: string): Promise<Answer> {
    const response = await fetch(`http://127.0.0.1:${ports[turn++ % ports.length]}/${key}`);
    const { message } = (await response.json()) as { message: string };
    const { status, headers } = response;
    return { status, message, left: leftOf(headers), headers };
  }
  return { clock, ask };
}

const leftOf = (headers: Headers): Left[] =>
  [...(headers.get('ratelimit') ?? '').matchAll(/"(\w+)";r=(\d+);t=(\d+)/g)].map(([, policy, remaining, seconds]) => ({
    policy: policy!,
    remaining: Number(remaining),
    seconds: Number(seconds),
  }));

/** Spreads what is left over the time that is left, as the policy demands that leaves least. */
const pauseMs = ({ left }: Answer): number =>
  Math.max(...left.map(({ remaining, seconds }) => (1000 * seconds) / Math.max(1, remaining)));

test.each([
  ['a client', ['one'], { requestsPerMinute: 200, accountRequestsPerMinute: 1_000 }],
  ['two clients of one account', ['one', 'two'], { requestsPerMinute: 1_000, accountRequestsPerMinute: 200 }],
])(
  '%s that knows nothing but the headers is never refused, and gets nearly all of its quota',
  async (_, keys, limits) => {
    const { clock, ask } = await gateways(limits);
    const end = clock.now + MINUTE_MS;
    const clients = keys.map((key) => ({ key, next: clock.now }));
    const statuses: number[] = [];
    for (;;) {
      const client = clients.reduce((a, b) => (a.next <= b.next ? a : b));
      if (client.next >= end) break;
      clock.now = client.next;
      const answer = await ask(client.key);
      statuses.push(answer.status);
      client.next += pauseMs(answer);
    }
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    expect(statuses.length).toBeGreaterThan(0.9 * 200);
  },
);

test.each([
  ['the key', { requestsPerMinute: 20, accountRequestsPerMinute: 100 }, /^This API key may send 20 requests/],
  ['the account', { requestsPerMinute: 100, accountRequestsPerMinute: 20 }, /^All API keys of this account together/],
])(
  'a client that ignores the headers gets 429, which names the limit of %s and says when to try again',
  async (_, limits, says) => {
    const { clock, ask } = await gateways(limits);
    clock.now += 12_345;
    let refused = await ask('one');
    for (let sent = 1; refused.status === 200 && sent < 100; sent++) refused = await ask('one');
    expect(refused).toMatchObject({ status: 429, message: expect.stringMatching(says) });
    expect(refused.headers.get('ratelimit-policy')).toBe(
      `"default";q=${limits.requestsPerMinute};w=60, "account";q=${limits.accountRequestsPerMinute};w=60`,
    );
    expect(refused.left.map(({ policy }) => policy)).toEqual(['default', 'account']);
    expect(Math.min(...refused.left.map(({ remaining }) => remaining))).toBe(0);
    const seconds = Number(refused.headers.get('retry-after'));
    clock.now += 1000 * (seconds - 1);
    expect((await ask('one')).status).toBe(429);
    clock.now += 1000;
    expect((await ask('one')).status).toBe(200);
  },
);

test('a limit of 0 is no limit and has no header', async () => {
  const { ask } = await gateways({ requestsPerMinute: 0, accountRequestsPerMinute: 3 });
  const first = await ask('one');
  expect(first.headers.get('ratelimit-policy')).toBe('"account";q=3;w=60');
  expect(first.headers.get('ratelimit')).toBe('"account";r=2;t=60');
  const { ask: unlimited } = await gateways({ requestsPerMinute: 0, accountRequestsPerMinute: 0 });
  const answers = await Promise.all(Array.from({ length: 20 }, () => unlimited('one')));
  expect(answers.map(({ status, headers }) => [status, headers.get('ratelimit')])).toEqual(
    answers.map(() => [200, null]),
  );
});
