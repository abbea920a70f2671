import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migratedDatabase, unerased } from '@parley/runtime/testing';
import { conversationsEraser } from './account-data.ts';
import { migrations } from './migrations.ts';

const { db, migrate, drop } = migratedDatabase(migrations);
beforeAll(migrate);
afterAll(drop);

test('every collection of the conversations is erased with its account, and has an index by account', async () => {
  expect(await unerased(db, conversationsEraser(db, { deletePrefix: async () => 0 }))).toEqual([]);
});
