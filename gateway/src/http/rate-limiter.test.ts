import { afterAll, expect, test } from '@jest/globals';
import { createLog } from '@parley/runtime';
import { freshDatabase } from '@parley/runtime/testing';
import { MongoClient } from 'mongodb';
import { type RateLimitStore, rateLimitStore } from '../store/rate-limit-store.ts';
import { createRateLimiter, type RateLimiter, type Subject } from './rate-limiter.ts';

const database = freshDatabase();
const mongo = new MongoClient(database.uri);
afterAll(async () => {
  await mongo.close();
  await database.drop();
});

const MINUTE_MS = 60_000;
/** A busy machine takes its time. */
const PATIENCE_MS = 30_000;

/** A store in memory that all limiters of a test share, and a clock that the test moves. */
function shared() {
  const counters = new Map<string, number>();
  const gateways = new Set<string>();
  const state = { now: Date.parse('2026-01-01T00:00:00Z'), away: false, asked: 0, logged: 0 };
  const inMemory: RateLimitStore = {
    async take(counter, count) {
      state.asked += 1;
      if (state.away) throw new Error('away');
      counters.set(counter, (counters.get(counter) ?? 0) + count);
      return counters.get(counter)!;
    },
    async gateways(id) {
      if (state.away) throw new Error('away');
      return gateways.add(id).size;
    },
  };
  const log = Object.assign(createLog('test', 'silent'), {
    warn() {
      state.logged += 1;
    },
  });
  const limiter = (store = inMemory) => createRateLimiter({ store, log, clock: () => state.now });
  return { state, limiter };
}

const key = (limit: number, id = 'key'): Subject => ({ policy: { name: 'default', limit }, id });
const account = (limit: number, id = 'account'): Subject => ({ policy: { name: 'account', limit }, id });

/** How many of these concurrent requests are allowed. */
const allowed = async (limiter: RateLimiter, times: number, ...subjects: Subject[]) => {
  const answers = await Promise.all(Array.from({ length: times }, () => limiter.take(subjects)));
  return answers.filter(({ exceeded }) => !exceeded).length;
};

test('one gateway allows exactly the limit in a window, and the next window starts afresh', async () => {
  const { state, limiter } = shared();
  const one = limiter();
  expect(await allowed(one, 200, key(90))).toBe(90);
  expect(await one.take([key(90)])).toEqual({
    exceeded: { policy: { name: 'default', limit: 90 }, resetSeconds: 60 },
    remaining: [0],
    resetSeconds: [60],
  });
  state.now += MINUTE_MS;
  expect(await allowed(one, 200, key(90))).toBe(90);
});

test('a request that the limit of the account refuses does not count for the key, and the other way round', async () => {
  const { limiter } = shared();
  const one = limiter();
  expect(await allowed(one, 30, key(10), account(25))).toBe(10);
  expect(await allowed(one, 30, key(20, 'other'), account(25))).toBe(15);
  expect((await one.take([key(20, 'other'), account(25)])).exceeded?.policy.name).toBe('account');
  expect(await allowed(one, 30, key(20, 'other'))).toBe(5);
});

test('windows of a minute and of a day count side by side, and a limit that changes holds at once', async () => {
  const { state, limiter } = shared();
  const one = limiter();
  const day = (limit: number): Subject => ({ policy: { name: 'day', limit, windowSeconds: 24 * 3600 }, id: 'bot' });
  expect(await allowed(one, 30, key(10), day(15))).toBe(10);
  state.now += MINUTE_MS;
  expect(await allowed(one, 30, key(10), day(15))).toBe(5);
  expect(await one.take([key(10), day(15)])).toMatchObject({
    exceeded: { policy: { name: 'day' }, resetSeconds: 24 * 3600 - 60 },
    resetSeconds: [60, 24 * 3600 - 60],
  });
  expect(await allowed(one, 3, day(18))).toBe(3);
  expect(await allowed(one, 3, day(10))).toBe(0);
  state.now += 24 * 60 * MINUTE_MS;
  expect(await allowed(one, 30, key(10), day(15))).toBe(10);
});

test('while the store is unavailable, a flood of subjects makes no gateway forget those of another policy', async () => {
  const { state, limiter } = shared();
  const one = limiter();
  state.away = true;
  const day: Subject = { policy: { name: 'day', limit: 5, windowSeconds: 24 * 3600 }, id: 'bot' };
  expect(await allowed(one, 10, day)).toBe(5);
  for (let i = 0; i < 20_001; i++) await one.take([key(10, `${i}`)]);
  expect(await allowed(one, 10, day)).toBe(0);
});

/** Three gateways on one real database. */
function replicas() {
  const { limiter } = shared();
  const store = rateLimitStore(mongo.db(database.name), { patienceMs: PATIENCE_MS });
  return [limiter(store), limiter(store), limiter(store)] as const;
}

test.each([
  ['key', (i: number) => [key(300, `by key ${i % 2}`), account(10_000, 'by key')], 2 * 300, 2 * 2 * 15],
  ['account', (i: number) => [key(10_000, `by account ${i % 2}`), account(500, 'by account')], 500, 2 * 25],
])(
  'three gateways together never allow more than the limit of a %s, and refuse at most two batches too early',
  async (_, subjects, limit, error) => {
    const gateways = replicas();
    let total = 0;
    // Most requests reach one gateway, which takes most of the quota; each in turn is the first to run dry.
    for (let i = 0; i < 3 * limit; i++) {
      const gateway = gateways[i % 7 === 0 ? i % 3 : Math.floor(i / limit)]!;
      total += await allowed(gateway, 1, ...subjects(i));
    }
    expect(total).toBeLessThanOrEqual(limit);
    expect(total).toBeGreaterThanOrEqual(limit - error);
  },
);

test('concurrent requests at three gateways together never exceed the limit', async () => {
  const gateways = replicas();
  const counts = await Promise.all(gateways.map((gateway) => allowed(gateway, 340, key(1_000, 'concurrent'))));
  const total = counts.reduce((a, b) => a + b);
  expect(total).toBeLessThanOrEqual(1_000);
  expect(total).toBeGreaterThanOrEqual(1_000 - 2 * 50);
});

test('within a second each gateway reports what the others have taken', async () => {
  const { state, limiter } = shared();
  const [one, other] = [limiter(), limiter()];
  await one.take([key(1_000)]);
  await allowed(other, 800, key(1_000));
  state.now += 1_000;
  const { remaining } = await one.take([key(1_000)]);
  expect(remaining[0]).toBeLessThanOrEqual(1_000 - 801);
});

test('the store is asked once per batch', async () => {
  const { state, limiter } = shared();
  await allowed(limiter(), 100, key(10_000));
  expect(state.asked).toBe(1);
});

test('while the store is unavailable a gateway counts alone; that is logged once each time it is tried, and then all is counted', async () => {
  const { state, limiter } = shared();
  const one = limiter();
  state.away = true;
  expect(await allowed(one, 100, key(20), account(30))).toBe(20);
  expect(await allowed(one, 100, key(20, 'other'), account(30))).toBe(10);
  expect([state.asked, state.logged]).toEqual([2, 1]);
  expect(await one.take([key(20), account(30)])).toMatchObject({
    exceeded: { policy: { name: 'default' } },
    remaining: [0, 0],
  });
  state.now += 5_000;
  expect(await allowed(one, 100, key(20), account(30))).toBe(0);
  expect([state.asked, state.logged]).toEqual([4, 2]);
  state.away = false;
  state.now += 5_000;
  expect(await allowed(one, 100, key(20), account(30))).toBe(0);
  expect(await allowed(limiter(), 100, key(20), account(30))).toBe(0);
  expect(state.logged).toBe(2);
  state.now += MINUTE_MS;
  expect(await allowed(one, 100, key(20), account(30))).toBe(20);
});

test('while the store is unavailable gateways together allow the limit, each its share of what was left, and then of the whole', async () => {
  const { state, limiter } = shared();
  const gateways = [limiter(), limiter(), limiter()];
  const all = async () => {
    const counts = [];
    for (const gateway of gateways) counts.push(await allowed(gateway, 200, key(90)));
    return counts;
  };
  // Each knows of all others, and what they have taken.
  for (const gateway of gateways) await gateway.take([key(90)]);
  state.now += 20_000;
  for (const gateway of gateways) await gateway.take([key(90)]);
  state.now += 1_000;
  for (const gateway of gateways) await gateway.take([key(90)]);
  state.away = true;
  const [first, ...others] = await all();
  expect(others).toEqual([first, first]);
  expect(9 + 3 * first!).toBe(90);
  state.now += MINUTE_MS;
  expect(await all()).toEqual([30, 30, 30]);
  state.away = false;
  state.now += 5_000;
  // Each reports what it allowed alone with its next request, and takes a batch as far as it knows.
  for (const gateway of gateways) await gateway.take([key(90)]);
  expect((await all()).reduce((a, b) => a + b)).toBeLessThanOrEqual(3 * 4);
});

test('gateways that are no longer heard of do not count', async () => {
  const db = mongo.db(database.name);
  await db.dropCollection('rate_limits');
  const store = rateLimitStore(db, { patienceMs: PATIENCE_MS });
  expect(await store.gateways('one', 60_000)).toBe(1);
  expect(await store.gateways('two', 0)).toBe(1);
  expect(await store.gateways('three', 60_000)).toBe(2);
  await store.take('counter', 1, 60_000);
  expect(await store.gateways('one', 60_000)).toBe(2);
});
