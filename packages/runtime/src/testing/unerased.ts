import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import type { AccountEraser } from '../mongo/deleted-accounts.ts';

/** Collections without data of accounts: they hold at most ids of what is gone. */
const KEPT = ['migrations', 'leases', 'deleted_accounts'];

/**
 * For tests: which collections of a migrated database an eraser misses, or can't search by account without reading all of
 * it. A new collection has to be added to the eraser of its service, or the service's test fails.
 */
export async function unerased(db: Db, eraser: AccountEraser): Promise<string[]> {
  const account = randomUUID();
  const collections = (await db.collections()).filter(({ collectionName }) => !KEPT.includes(collectionName));
  for (const collection of collections) await collection.insertOne({ _id: randomUUID() as never, account });
  while (!(await eraser.erase(account)).done);
  const missed: string[] = [];
  for (const collection of collections) {
    const { collectionName: name } = collection;
    if (await collection.findOne({ account })) missed.push(name);
    const indexes = await collection.indexes();
    if (!indexes.some(({ key }) => Object.keys(key)[0] === 'account')) missed.push(`${name}, which has no index`);
  }
  return missed;
}
