import { afterAll, beforeAll } from '@jest/globals';
import { createLog } from '@parley/runtime';
import { openMongo } from '@parley/runtime/mongo';
import { freshDatabase } from '@parley/runtime/testing';
import type { Db } from 'mongodb';
import { migrations } from '../migrations.ts';

/** A migrated database for a test file. */
export function migratedDatabase(): { db(): Db } {
  const database = freshDatabase();
  const config = { uri: database.uri, database: database.name };
  const mongo = openMongo(config, migrations, createLog('test', 'silent'));
  beforeAll(() => mongo.start?.(new AbortController().signal));
  afterAll(async () => {
    await mongo.stop?.();
    await database.drop();
  });
  return { db: () => mongo.db };
}
