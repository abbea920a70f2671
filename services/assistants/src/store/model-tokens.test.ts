import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freshDatabase } from '@parley/embedded/testing';
import { createLog } from '@parley/runtime';
import { openMongo } from '@parley/runtime/mongo';
import { randomId } from '@parley/runtime/rpc';
import { unscopedCommands } from '@parley/runtime/testing';
import { MongoClient } from 'mongodb';
import { migrations } from './migrations.ts';
import { modelTokens, tokenBudget } from './model-tokens.ts';

const database = freshDatabase();
const mongo = openMongo({ uri: database.uri, database: database.name }, migrations, createLog('test', 'silent'));
const client = new MongoClient(database.uri, { monitorCommands: true });
const db = client.db(database.name);
beforeAll(() => mongo.start?.(new AbortController().signal));
afterAll(async () => {
  await mongo.stop?.();
  await client.close();
  await database.drop();
});

const usedBy = async (account: string) =>
  (await modelTokens(db).find({ account }).toArray()).map(({ tokens }) => tokens);

test('two replicas that reserve at once never exceed the budget of an account', async () => {
  const account = randomId();
  const replicas = [tokenBudget(db, 1_000), tokenBudget(mongo.db, 1_000)];
  const reserved = await Promise.all(Array.from({ length: 30 }, (_, i) => replicas[i % 2]!.reserve(account, 100)));
  expect(reserved.filter(Boolean)).toHaveLength(10);
  expect(await usedBy(account)).toEqual([1_000]);
  expect(await replicas[0]!.reserve(randomId(), 100)).toBeDefined();
});

test('what was reserved is replaced by what was used', async () => {
  const account = randomId();
  const budget = tokenBudget(db, 1_000);
  const reserved = await budget.reserve(account, 900);
  expect(await budget.reserve(account, 900)).toBeUndefined();
  await reserved!.settle(50);
  expect(await usedBy(account)).toEqual([50]);
  expect(await budget.reserve(account, 900)).toBeDefined();
});

test('a request that is larger than the budget is refused, and counts nothing', async () => {
  const account = randomId();
  expect(await tokenBudget(db, 1_000).reserve(account, 1_001)).toBeUndefined();
  expect(await usedBy(account)).toEqual([]);
});

test('a new day brings a new budget', async () => {
  const account = randomId();
  let now = new Date('2026-03-01T23:59:59Z');
  const budget = tokenBudget(db, 1_000, () => new Date(now));
  expect(await budget.reserve(account, 1_000)).toBeDefined();
  expect(await budget.reserve(account, 1)).toBeUndefined();
  now = new Date('2026-03-02T00:00:00Z');
  expect(await budget.reserve(account, 1_000)).toBeDefined();
});

test('tokens are counted by account only, and a day of an account that was deleted stays deleted', async () => {
  const account = randomId();
  const budget = tokenBudget(db, 1_000);
  const reserved = (await budget.reserve(account, 100))!;
  await modelTokens(db).deleteMany({ account });
  expect(await unscopedCommands(client, () => reserved.settle(10))).toEqual([]);
  expect(await unscopedCommands(client, () => budget.reserve(randomId(), 100))).toEqual([]);
  expect(await usedBy(account)).toEqual([]);
});
