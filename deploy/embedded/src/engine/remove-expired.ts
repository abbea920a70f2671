import { type Collection, MongoClient } from 'mongodb';

/** The same interval as a MongoDB server. */
const EVERY_MS = 60_000;

/**
 * Does the work of a server's TTL monitor: the embedded engine accepts TTL indexes but has no monitor. Returns a function
 * that stops it. A round that fails is logged, and the next one tries again.
 */
export function keepRemovingExpired(uri: string, log: (line: string) => void): () => Promise<void> {
  const client = new MongoClient(uri, { maxPoolSize: 1, serverSelectionTimeoutMS: 5_000 });
  const rounds = setInterval(() => {
    removeExpired(client).catch((error: Error) => log(`Expired documents could not be removed: ${error.message}`));
  }, EVERY_MS).unref();
  return () => {
    clearInterval(rounds);
    return client.close();
  };
}

/** Deletes, in all databases, the documents that have expired according to an index with `expireAfterSeconds`. */
export async function removeExpired(client: MongoClient): Promise<void> {
  const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
  for (const { name } of databases) {
    for (const collection of await client.db(name).collections()) await removeExpiredFrom(collection);
  }
}

async function removeExpiredFrom(collection: Collection): Promise<void> {
  for (const { key, expireAfterSeconds, partialFilterExpression = {} } of await indexesOf(collection)) {
    if (expireAfterSeconds === undefined) continue;
    const expired = { [Object.keys(key)[0]!]: { $lt: new Date(Date.now() - expireAfterSeconds * 1000) } };
    await collection.deleteMany({ $and: [expired, partialFilterExpression] });
  }
}

/** Empty for a collection that was dropped since it was listed. */
async function indexesOf(collection: Collection) {
  return collection.indexes().catch((error: { codeName?: string }) => {
    if (error.codeName === 'NamespaceNotFound') return [];
    throw error;
  });
}
