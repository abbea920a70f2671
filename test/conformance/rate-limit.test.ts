import { afterAll, expect, test } from '@jest/globals';
import { must } from '../e2e/api.ts';
import type { ApiKey } from '../e2e/resources.ts';
import { world } from '../e2e/world.ts';

const LIMIT = 20;
const { a, b, stop } = await world({ embeddings: 'none', variables: { RATE_LIMIT_PER_MINUTE: String(LIMIT) } });
afterAll(stop);

test('each key has a limit per minute; responses say how many requests are left, and when to retry', async () => {
  const { key } = must(await a.api.post<ApiKey>('/api-keys', { name: 'other', scopes: [] }));
  const first = await a.api.get('/me');
  expect(first.headers.get('ratelimit-policy')).toMatch(/^"[\w-]+";q=20;w=60, "[\w-]+";q=100;w=60$/);
  expect(first.headers.get('ratelimit')).toMatch(/^"[\w-]+";r=\d+;t=\d+, "[\w-]+";r=\d+;t=\d+$/);

  // A new minute may begin in between and reset the limit.
  const statuses: number[] = [];
  for (let i = 0; i < 2 * LIMIT + 1 && statuses.at(-1) !== 429; i++) statuses.push((await a.api.get('/me')).status);
  expect(statuses.at(-1)).toBe(429);

  const refused = await a.api.get('/nothing');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  expect((await a.api.as('Bearer nonsense').get('/me')).status).toBe(401);
  // The limit is per key.
  expect((await a.api.as(`Bearer ${key}`).get('/me')).status).toBe(200);
  expect((await b.api.get('/me')).status).toBe(200);
});
