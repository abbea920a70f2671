import { afterAll, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { freshDatabase } from './fresh-database.ts';

const mine = freshDatabase();
const other = freshDatabase();
const client = new MongoClient(mine.uri);
afterAll(async () => {
  await client.close();
  await other.drop();
});

test('each test has its own database, which is gone once dropped', async () => {
  for (const { name } of [mine, other]) await client.db(name).collection('things').insertOne({});
  await mine.drop();
  expect(await client.db(mine.name).collection('things').countDocuments()).toBe(0);
  expect(await client.db(other.name).collection('things').countDocuments()).toBe(1);
});
