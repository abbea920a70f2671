import { expect, test } from '@jest/globals';
import { createLog } from '@parley/runtime';
import { createRateLimiter } from './rate-limiter.ts';

const log = createLog('test', 'silent');

/** A store shared by all limiters of a test, and a clock that the test moves. */
function shared() {
  const counters = new Map<string, number>();
  const state = { now: Date.parse('2026-01-01T00:00:00Z'), away: false, asked: 0 };
  const store = {
    async take(counter: string, count: number) {
      state.asked += 1;
      if (state.away) throw new Error('away');
      counters.set(counter, (counters.get(counter) ?? 0) + count);
      return counters.get(counter)!;
    },
  };
  const limiter = (perMinute: number) => createRateLimiter({ store, perMinute, log, clock: () => state.now });
  return { state, limiter };
}

const allowed = async (limiter: ReturnType<typeof createRateLimiter>, times: number) => {
  const answers = await Promise.all(Array.from({ length: times }, () => limiter.take('key')));
  return answers.filter((answer) => answer.allowed).length;
};

test('one gateway allows exactly the limit in a window, and the next window starts afresh', async () => {
  const { state, limiter } = shared();
  const one = limiter(90);
  expect(await allowed(one, 200)).toBe(90);
  expect(await one.take('key')).toMatchObject({ allowed: false, remaining: 0, resetSeconds: 60 });
  state.now += 60_000;
  expect(await allowed(one, 200)).toBe(90);
});

test('several gateways never allow more than the limit, and fall short by less than a batch each', async () => {
  const { limiter } = shared();
  const gateways = [limiter(1000), limiter(1000), limiter(1000)];
  const counts = await Promise.all(gateways.map((gateway) => allowed(gateway, 340)));
  const total = counts.reduce((a, b) => a + b);
  expect(total).toBeLessThanOrEqual(1000);
  expect(total).toBeGreaterThan(1000 - 3 * 50);
});

test('the store is asked once per batch', async () => {
  const { state, limiter } = shared();
  await allowed(limiter(10_000), 100);
  expect(state.asked).toBe(1);
});

test('while the store is unavailable nobody is refused, and it is not asked for each request', async () => {
  const { state, limiter } = shared();
  const one = limiter(20);
  state.away = true;
  expect(await allowed(one, 100)).toBe(100);
  expect(state.asked).toBe(1);
  state.away = false;
  state.now += 5_000;
  expect(await allowed(one, 100)).toBe(20);
});

test('a limit of 0 means no limit', async () => {
  const { state, limiter } = shared();
  expect(await allowed(limiter(0), 100)).toBe(100);
  expect(state.asked).toBe(0);
});
