import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isAppError, randomId } from '@parley/runtime';
import { type KeyWorld, keyWorld } from './rpc.fixture.ts';

let world: KeyWorld;
beforeAll(async () => {
  world = await keyWorld(4);
});
afterAll(() => world.end());

/** How many of the calls were not refused because of the quota. */
async function through(calls: Promise<unknown>[]): Promise<number> {
  const outcomes = await Promise.allSettled(calls);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected' && !isAppError(outcome.reason, 'permission_denied')) throw outcome.reason;
  return outcomes.filter(({ status }) => status === 'fulfilled').length;
}

test('of many keys that are created at once, as many get through as there is room for; revoking makes room', async () => {
  const account = await world.account();
  const { usage } = world.stores;
  const parent = await account.create();
  expect(await through(Array.from({ length: 8 }, () => account.create({}, account.as(parent.id))))).toBe(2);
  await expect(account.create()).rejects.toThrow(
    'An account may have 4 API keys (QUOTA_API_KEYS), and this one has 4. Delete some of them first.',
  );
  // The keys that it created go with it.
  await account.revoke(parent.id);
  expect(await usage.used(account.id)).toEqual({ keys: 1 });
  expect(await through(Array.from({ length: 8 }, () => account.create()))).toBe(3);
});

test('the same operation again in a full account gets another secret for the same key', async () => {
  const account = await world.account();
  const call = account.as(undefined, { operation: randomId() });
  for (let i = 0; i < 2; i++) await account.create();
  const first = await account.create({}, call);
  const again = await account.create({}, call);
  expect(again.id).toBe(first.id);
  expect([await world.works(first.key), await world.works(again.key)]).toEqual([false, true]);
  expect(await world.stores.usage.used(account.id)).toEqual({ keys: 4 });
});
