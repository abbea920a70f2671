import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLog } from '@parley/runtime';
import { openMongo } from '@parley/runtime/mongo';
import { freshDatabase, unerased } from '@parley/runtime/testing';
import { conversationsEraser } from './account-data.ts';
import { migrations } from './migrations.ts';

const database = freshDatabase();
const mongo = openMongo({ uri: database.uri, database: database.name }, migrations, createLog('test', 'silent'));
beforeAll(() => mongo.start?.(new AbortController().signal));
afterAll(async () => {
  await mongo.stop?.();
  await database.drop();
});

test('every collection of the conversations is erased with its account, and has an index by account', async () => {
  expect(await unerased(mongo.db, conversationsEraser(mongo.db, { deletePrefix: async () => 0 }))).toEqual([]);
});
