import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime';
import { type Examined, examined, freshDatabase, migrateTo } from '@parley/runtime/testing';
import { MongoClient } from 'mongodb';
import { migrations } from './migrations.ts';
import { stores } from './stores.ts';

const database = freshDatabase();
const client = new MongoClient(database.uri, { monitorCommands: true });
const db = client.db(database.name);
const { store } = stores(db);
const REQUEST = { limit: 10, nextCursor: '' };

beforeAll(() => migrateTo(database, migrations, 1));
afterAll(async () => {
  await client.close();
  await database.drop();
});

const made = (i: number) => ({ created_at: new Date(i), deleted_at: i % 3 ? new Date() : null });

/** The cost of a page and its total: the page reads what it returns, and the total reads no documents. */
const CHEAP: Partial<Examined>[] = [{ returned: 11, keys: 11, documents: 11 }, { documents: 0 }];

test('pages of accounts and keys read only what they return, also in a database of the first release', async () => {
  const account = randomId();
  const accounts = Array.from({ length: 600 }, (_, i) => ({ _id: randomId(), name: 'A', ...made(i) }));
  await db.collection<{ _id: string }>('accounts').insertMany(accounts);
  const keys = accounts.map((each, i) => ({ ...each, _id: randomId(), account, hash: `${i}` }));
  await db.collection<{ _id: string }>('api_keys').insertMany(keys);
  const before = await store.listKeys(account, REQUEST);

  await migrateTo(database, migrations, migrations.length);
  expect(await examined(client, () => store.listAccounts(REQUEST))).toMatchObject(CHEAP);
  expect(await examined(client, () => store.listKeys(account, REQUEST))).toMatchObject(CHEAP);
  expect(await store.listKeys(account, REQUEST)).toEqual(before);
  expect((await db.collection('api_keys').indexes()).map(({ key }) => key)).toEqual([
    { _id: 1 },
    { hash: 1 },
    { account: 1, deleted_at: 1, created_at: -1, _id: -1 },
    { account: 1, ancestors: 1 },
    { unfinished: 1 },
    { purge_at: 1 },
    { outbox_due: 1 },
  ]);
});
