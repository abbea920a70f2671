import { type Collection, MongoClient } from 'mongodb';

/** As often as a MongoDB server does it. */
const EVERY_MS = 60_000;

/**
 * Does what a server's TTL monitor does, which the embedded engine lacks although it accepts the indexes. Returns the
 * function that ends it. A round that fails is logged, and the next one tries again.
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

/** Deletes, in all databases, what an index with `expireAfterSeconds` says has expired. */
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
