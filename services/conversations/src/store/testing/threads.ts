import { afterAll, beforeAll } from '@jest/globals';
import { type MigratedDatabase, migratedDatabase } from '@parley/runtime/testing';
import type { Db } from 'mongodb';
import { migrations } from '../migrations.ts';
import type { ThreadRef } from '../model.ts';
import type { Settings } from '../settings.ts';
import { conversationStores } from '../stores.ts';
import type { Beside } from '../threads.ts';
import { UNLIMITED } from '../usage.ts';

/** The stores of one replica. */
export function storesOn(db: Db, beside?: Beside, settings: Partial<Settings> = {}) {
  const all = { quietMs: 0, limits: UNLIMITED, ...settings };
  const stores = conversationStores(db, all, { deletePrefix: async () => 0 }, beside);
  return { ...stores, entries: stores.threads.entries };
}

export type Stores = ReturnType<typeof storesOn>;

/** Creates a ticket or a chat without a message; a ticket is from the address. */
export const openWith = ({ threads }: Stores, { account, kind, assistant, id }: ThreadRef, email: string) => {
  const from = kind === 'chat' ? {} : { from: { email, name: '' }, address: email, subject: '' };
  const thread = { _id: id, kind, assistant, status: 'open', priority: 'medium', ...from } as const;
  return threads.open(threads.collection.unlisted, account, thread);
};

/** A migrated database for a test file. */
export function threadDatabase(): MigratedDatabase {
  const database = migratedDatabase(migrations);
  beforeAll(database.migrate);
  afterAll(database.drop);
  return database;
}
