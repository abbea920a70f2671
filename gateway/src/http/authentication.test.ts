import { BlockList } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime/rpc';
import { type Answer, type World, world } from '../testing/world.ts';

const LIMIT = 10;
let w: World;
beforeAll(async () => {
  const trustedProxies = new BlockList();
  trustedProxies.addSubnet('127.0.0.0', 8);
  w = await world({ authFailuresPerMinute: LIMIT }, { trustedProxies });
});
afterAll(() => w.end());

/** Acts as a client at an address, behind the test as a trusted proxy. */
const as = (address: string, key?: string) => w.get('/me', { key, headers: { 'x-forwarded-for': address } });
const wrong = () => `parley_${randomId()}`;
const statuses = (answers: Answer[]) => answers.map(({ status }) => status);

/** Fails until the address is refused. A new minute may start in between. */
async function exhaust(address: string): Promise<Answer> {
  for (let i = 0; i < 3 * LIMIT; i++) {
    const answer = await as(address, wrong());
    if (answer.status === 429) return answer;
  }
  throw new Error('the address was never refused');
}

test('an address with too many failures is refused, with Retry-After; auth is asked about no bad key twice', async () => {
  const refused = await exhaust('192.0.2.1');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(refused.body).toMatchObject({ success: false, message: expect.stringContaining('Too many failed') });
  const { verified } = w.auth.state;
  const stale = wrong();
  for (let i = 0; i < 3 * LIMIT; i++) await as('192.0.2.1', stale);
  // Once in the slow lane. In a new minute, it counts as a failure until that is exhausted, too.
  expect(w.auth.state.verified - verified).toBeLessThanOrEqual(1 + LIMIT);
  expect((await as('192.0.2.2', wrong())).status).toBe(401);
});

test('a missing key counts as a failure, like a wrong one', async () => {
  const answers = [];
  for (let i = 0; i < 3 * LIMIT; i++) answers.push(await as('192.0.2.3'));
  expect(statuses(answers)).toContain(429);
});

test('a valid key works from the address of a guesser, whether this gateway has seen it before or not', async () => {
  const [known, fresh] = [w.keyWith(), w.keyWith()];
  expect((await as('192.0.2.4', known)).status).toBe(200);
  await exhaust('192.0.2.4');
  expect((await as('192.0.2.4', known)).status).toBe(200);
  const many = await Promise.all(Array.from({ length: 5 * LIMIT }, () => as('192.0.2.4', fresh)));
  expect(new Set(statuses(many))).toEqual(new Set([200]));
});

test('a flood of bad keys reaches auth slowly, and what waits for too long is refused', async () => {
  await exhaust('192.0.2.9');
  const { verified } = w.auth.state;
  const begun = performance.now();
  const answers = await Promise.all(Array.from({ length: 20 * LIMIT }, () => as('192.0.2.9', wrong())));
  const seconds = (performance.now() - begun) / 1000;
  // A new minute may have started in between.
  expect(statuses(answers).filter((status) => status !== 429).length).toBeLessThanOrEqual(LIMIT);
  expect(w.auth.state.verified - verified).toBeLessThanOrEqual(20 * seconds + 1 + LIMIT);
  expect(w.auth.state.verified - verified).toBeLessThan(10 * LIMIT);
});

test('concurrent attempts do not slip through', async () => {
  const { verified } = w.auth.state;
  await Promise.all(Array.from({ length: 10 * LIMIT }, () => as('192.0.2.6', wrong())));
  // Those of the minute, of the next one if it starts meanwhile, and of the second that the others may wait.
  expect(w.auth.state.verified - verified).toBeLessThanOrEqual(2 * LIMIT + 21);
});

test('concurrent requests with one valid key count as one attempt, and not as a failure', async () => {
  const key = w.keyWith();
  const answers = await Promise.all(Array.from({ length: 5 * LIMIT }, () => as('192.0.2.7', key)));
  expect(new Set(statuses(answers))).toEqual(new Set([200]));
  for (let i = 0; i < 3 * LIMIT; i++) expect((await as('192.0.2.7', w.keyWith())).status).toBe(200);
});

test('X-Forwarded-For counts only as far as trusted proxies wrote it', async () => {
  await exhaust('203.0.113.1, 192.0.2.8, 127.0.0.9');
  expect((await as('198.51.100.1, 192.0.2.8', wrong())).status).toBe(429);
  expect((await as('192.0.2.8, 198.51.100.1', wrong())).status).toBe(401);

  const alone = await world({ authFailuresPerMinute: LIMIT });
  const from = (i: number) => alone.get('/me', { key: wrong(), headers: { 'x-forwarded-for': `198.51.100.${i}` } });
  const answers = [];
  for (let i = 0; i < 3 * LIMIT; i++) answers.push(await from(i));
  expect(statuses(answers)).toContain(429);
  await alone.end();
});

test('a failure of the auth service does not count against the client', async () => {
  const lonely = await world({ authFailuresPerMinute: 2 });
  await lonely.stopService('auth');
  for (let i = 0; i < 5; i++) expect((await lonely.get('/me', { key: wrong() })).status).toBe(503);
  await lonely.end();
});
