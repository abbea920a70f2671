import { afterAll, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { examined, freshDatabase } from '../testing/index.ts';
import { page } from './page.ts';

const database = freshDatabase();
const client = new MongoClient(database.uri, { monitorCommands: true });
afterAll(async () => {
  await client.close();
  await database.drop();
});

test('a page costs about what it holds, however deep it lies and whatever was deleted; its total reads no documents', async () => {
  const things = client.db(database.name).collection<{ _id: string; account: string; created_at: Date }>('things');
  await things.createIndex({ account: 1, deleted_at: 1, created_at: -1, _id: -1 });
  // Two of three are deleted, and every five share a time.
  const thing = (i: number) => ({
    _id: String(i).padStart(5, '0'),
    account: i % 2 ? 'a' : 'b',
    created_at: new Date(Math.floor(i / 10)),
    deleted_at: i % 3 ? new Date() : null,
  });
  await things.insertMany(Array.from({ length: 6_000 }, (_, i) => thing(i)));
  const filter = { account: 'a', deleted_at: null };
  let nextCursor = '';
  for (let pages = 0; pages < 9; pages++) {
    const request = { limit: 100, nextCursor };
    const [found, total] = await examined(client, async () => {
      ({ nextCursor } = await page(things, filter, request));
    });
    expect({ pages, ...found }).toMatchObject({ returned: 101 });
    expect(found!.keys).toBeLessThan(120);
    expect(found!.documents).toBeLessThan(120);
    expect(total).toMatchObject({ documents: 0 });
  }
});
