import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLog, randomId } from '@parley/runtime';
import { freshDatabase, unscopedCommands } from '@parley/runtime/testing';
import { type Db, MongoClient } from 'mongodb';
import { openMongo } from './connect.ts';
import { TOKENS_INDEXES, tokenBudget, tokensCollection } from './token-budget.ts';

const NAME = 'some_tokens';
const database = freshDatabase();
const migrations = [
  {
    number: 1,
    name: 'indexes',
    beside: '0.1.0',
    run: async (db: Db) => void (await db.collection(NAME).createIndexes(TOKENS_INDEXES)),
  },
];
const mongo = openMongo({ uri: database.uri, database: database.name }, migrations, createLog('test', 'silent'));
const client = new MongoClient(database.uri, { monitorCommands: true });
const db = client.db(database.name);
beforeAll(() => mongo.start?.(new AbortController().signal));
afterAll(async () => {
  await mongo.stop?.();
  await client.close();
  await database.drop();
});

const warnings: object[] = [];
const log = { warn: (about: object) => void warnings.push(about) };
const budgetOf = (perDay: number, { now, on = db }: { now?: () => Date; on?: typeof db } = {}) =>
  tokenBudget(on, NAME, { perDay, setting: 'SOME_TOKENS_PER_DAY', log, ...(now && { now }) });

const usedBy = async (account: string) =>
  (await tokensCollection(db, NAME).find({ account }).toArray()).map(({ tokens }) => tokens);

test('two replicas that reserve at once never exceed the budget of an account', async () => {
  const account = randomId();
  const replicas = [budgetOf(1_000), budgetOf(1_000, { on: mongo.db })];
  const reserved = await Promise.all(Array.from({ length: 30 }, (_, i) => replicas[i % 2]!.reserve(account, 100)));
  expect(reserved.filter(Boolean)).toHaveLength(10);
  expect(await usedBy(account)).toEqual([1_000]);
  expect(await replicas[0]!.reserve(randomId(), 100)).toBeDefined();
});

test('what was reserved is replaced by what was used', async () => {
  const account = randomId();
  const budget = budgetOf(1_000);
  const reserved = await budget.reserve(account, 900);
  expect(await budget.reserve(account, 900)).toBeUndefined();
  await reserved!.settle(50);
  expect(await usedBy(account)).toEqual([50]);
  expect(await budget.reserve(account, 900)).toBeDefined();
});

test('a request that is larger than the budget is refused, and counts nothing', async () => {
  const account = randomId();
  const budget = budgetOf(1_000);
  expect(await budget.reserve(account, 1_001)).toBeUndefined();
  expect(await budget.used(account)).toMatchObject({ day: 0, month: 0 });
  expect(await budget.reserve(account, 1_000)).toBeDefined();
});

test('the first refusal of a day is remembered, and logged once by all replicas', async () => {
  const account = randomId();
  const replicas = [budgetOf(100), budgetOf(100, { on: mongo.db })];
  await replicas[0]!.reserve(account, 100);
  expect((await replicas[0]!.used(account)).spentAt).toBeUndefined();
  warnings.length = 0;
  await Promise.all(Array.from({ length: 10 }, (_, i) => replicas[i % 2]!.reserve(account, 1)));
  expect(warnings).toEqual([{ account, perDay: 100, setting: 'SOME_TOKENS_PER_DAY' }]);
  expect(await replicas[1]!.used(account)).toEqual({ day: 100, month: 100, spentAt: expect.any(Date) });
});

test('a new day brings a new budget; a month sums its days', async () => {
  const account = randomId();
  let now = new Date('2026-02-28T12:00:00Z');
  const budget = budgetOf(1_000, { now: () => new Date(now) });
  await budget.reserve(account, 7);
  now = new Date('2026-03-01T23:59:59Z');
  expect(await budget.reserve(account, 1_000)).toBeDefined();
  expect(await budget.reserve(account, 1)).toBeUndefined();
  now = new Date('2026-03-02T00:00:00Z');
  expect(await budget.reserve(account, 30)).toBeDefined();
  expect(await budget.used(account)).toEqual({ day: 30, month: 1_030 });
});

test('without a limit, tokens are counted', async () => {
  const account = randomId();
  const budget = budgetOf(Infinity);
  const reserved = await Promise.all([budget.reserve(account, 1_000_000), budget.reserve(account, 5)]);
  await reserved[1]!.settle(6);
  expect(await budget.used(account)).toEqual({ day: 1_000_006, month: 1_000_006 });
});

test('tokens are counted by account only, and a day of an account that was deleted stays deleted', async () => {
  const account = randomId();
  const budget = budgetOf(1_000);
  const reserved = (await budget.reserve(account, 100))!;
  await tokensCollection(db, NAME).deleteMany({ account });
  expect(await unscopedCommands(client, () => reserved.settle(10))).toEqual([]);
  expect(await unscopedCommands(client, () => budget.reserve(randomId(), 100))).toEqual([]);
  expect(await unscopedCommands(client, () => budget.reserve(randomId(), 1_001))).toEqual([]);
  expect(await unscopedCommands(client, () => budget.used(account))).toEqual([]);
  expect(await usedBy(account)).toEqual([]);
});
