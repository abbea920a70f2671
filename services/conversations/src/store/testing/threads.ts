import { afterAll, beforeAll } from '@jest/globals';
import { freshDatabase } from '@parley/embedded/testing';
import { createLog } from '@parley/runtime';
import { openMongo } from '@parley/runtime/mongo';
import type { Db } from 'mongodb';
import { migrations } from '../migrations.ts';
import type { ThreadRef } from '../model.ts';
import { conversationStores } from '../stores.ts';
import type { Beside } from '../threads.ts';

/** The stores of one replica. */
export function storesOn(db: Db, beside?: Beside) {
  const stores = conversationStores(db, beside);
  return { ...stores, entries: stores.threads.entries };
}

export type Stores = ReturnType<typeof storesOn>;

/** Creates a ticket or a chat without a message; a ticket is from the address. */
export const openWith = ({ threads }: Stores, { account, kind, assistant, id }: ThreadRef, email: string) => {
  const from = kind === 'chat' ? {} : { from: { email, name: '' }, address: email, subject: '' };
  return threads.open(account, { _id: id, kind, assistant, status: 'open', priority: 'medium', ...from });
};

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
