import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type World, world } from '../../testing/world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w.end());

test('the usage that every service counts is one list; what is absent is null', async () => {
  expect((await w.get('/usage')).body).toEqual({
    success: true,
    data: [
      { name: 'bytes', used: 5_000_000_000, limit: 21_474_836_480, window: 'none', spent_at: null },
      { name: 'chats', used: 3, limit: null, window: 'none', spent_at: null },
      { name: 'keys', used: 1, limit: 1_000, window: 'none', spent_at: null },
      { name: 'model_tokens', used: 90, limit: 100, window: 'day', spent_at: '2026-01-02T03:04:05.678Z' },
      { name: 'model_tokens', used: 190, limit: null, window: 'month', spent_at: null },
      { name: 'webhooks', used: 1, limit: 100, window: 'none', spent_at: null },
    ],
  });
});
