import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migratedDatabase, unerased } from '@parley/runtime/testing';
import { assistantsEraser } from './account-data.ts';
import { migrations } from './migrations.ts';

const { db, migrate, drop } = migratedDatabase(migrations);
beforeAll(migrate);
afterAll(drop);

test('every collection of the assistants is erased with its account, and has an index by account', async () => {
  expect(await unerased(db, assistantsEraser(db))).toEqual([]);
});
