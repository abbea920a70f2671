import { afterAll, expect, test } from '@jest/globals';
import { createLog, randomId } from '@parley/runtime';
import { freshDatabase, until } from '@parley/runtime/testing';
import { MongoClient } from 'mongodb';
import { outbox, type WithOutbox } from './outbox.ts';
import { quotaCollection, quotaStore } from './quota.ts';
import { tokenBudget, tokensCollection } from './token-budget.ts';

const database = freshDatabase();
const client = new MongoClient(database.uri);
const db = client.db(database.name);
afterAll(async () => {
  await client.close();
  await database.drop();
});

const limit = (most: number) => ({ most, what: 'things', setting: 'QUOTA_THINGS' });

test('an account hears once that a limit is near, and once that it is reached, and again after it has used much less', async () => {
  const account = randomId();
  let things = 0;
  const limits = { things: limit(10), others: limit(Infinity) };
  const quota = quotaStore(db, limits, async () => ({ things, others: 0 }));
  /** Makes that many changes of one thing each; returns what was heard of them. */
  async function change(times: number, by: 1 | -1): Promise<string[]> {
    await quotaCollection(db).updateOne({ _id: account }, { $set: { outbox: [] } });
    for (let i = 0; i < times; i++) {
      const work = async () => {
        things += by;
        return { result: undefined, counted: { things: by } };
      };
      await quota.change(account, by > 0 ? { things: 1 } : {}, work);
    }
    const { outbox = [] } = await until(
      () => quotaCollection(db).findOne({ _id: account }),
      (quota) => quota!.pending.length === 0,
    ).then((quota) => quota!);
    return outbox.map(({ payload: { value } }) => {
      const { name, used, limit, window, reached } = value as Record<string, unknown>;
      expect([limit, window]).toEqual([10, 'none']);
      return `${name} ${used} ${reached ? 'reached' : 'near'}`;
    });
  }

  expect(await change(7, 1)).toEqual([]);
  expect(await change(1, 1)).toEqual(['things 8 near']);
  expect(await change(1, 1)).toEqual([]);
  expect(await change(1, -1)).toEqual([]);
  expect(await change(2, 1)).toEqual(['things 10 reached']);
  await expect(change(1, 1)).rejects.toThrow('QUOTA_THINGS');
  expect(await change(3, -1)).toEqual([]);
  // A little below, and back again.
  expect(await change(1, 1)).toEqual([]);
  // Far below, and back again.
  expect(await change(2, -1)).toEqual([]);
  expect(await change(2, 1)).toEqual(['things 8 near']);
});

test('an account that is refused more than is left hears that the limit is reached', async () => {
  const account = randomId();
  const quota = quotaStore(db, { things: limit(10) }, async () => ({ things: 0 }));
  const take = (things: number) => quota.change(account, { things }, async () => ({ result: 1, counted: { things } }));
  await take(5);
  for (let i = 0; i < 2; i++) await expect(take(6)).rejects.toThrow('QUOTA_THINGS');
  const { outbox = [] } = (await quotaCollection(db).findOne({ _id: account }))!;
  expect(outbox.map(({ payload }) => payload)).toEqual([
    { case: 'quotaPassed', value: { name: 'things', used: 5, limit: 10, window: 'none', reached: true } },
  ]);
});

test('an account hears once a day that most tokens are used, and that they are spent', async () => {
  const account = randomId();
  const log = createLog('test', 'silent');
  const budget = tokenBudget(db, 'some_tokens', { perDay: 100, setting: 'SOME_TOKENS_PER_DAY', log });
  for (const tokens of [50, 29, 1, 5, 50, 50]) await budget.reserve(account, tokens);
  const [day] = await tokensCollection(db, 'some_tokens').find({ account }).toArray();
  expect(day).toMatchObject({ tokens: 85, account });
  expect(day!.outbox!.map(({ payload: { value } }) => value)).toEqual([
    { name: 'some_tokens', limit: 100, window: 'day', reached: false, used: 80 },
    { name: 'some_tokens', limit: 100, window: 'day', reached: true, used: 85 },
  ]);
});

test('a write of several documents gives the event of each an id of its own', async () => {
  const account = randomId();
  const things = db.collection<WithOutbox>('things');
  await things.insertMany([1, 2].map(() => ({ _id: randomId(), account })));
  await things.updateMany({ account }, outbox({ case: 'apiKeyRevoked', value: {} }, { many: true }));
  const ids = (await things.find({ account }).toArray()).map(({ outbox = [] }) => outbox[0]!.id);
  expect(new Set(ids).size).toBe(2);
});
