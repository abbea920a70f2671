import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';

export interface FreshDatabase extends AsyncDisposable {
  /** The address of the real engine that this run of Jest shares. */
  uri: string;
  /** Unique to this test. */
  name: string;
  /** Drops the database. */
  drop(): Promise<void>;
}

/** An empty database on the engine that `jest-setup.ts` started. Drop it afterwards: `afterAll(database.drop)`. */
export function freshDatabase(): FreshDatabase {
  const uri = process.env.TEST_MONGODB_URI;
  if (!uri) throw new Error('The globalSetup of jest.config.mjs starts the database: run tests from the root.');
  const name = `test-${randomBytes(6).toString('hex')}`;
  const drop = async () => {
    const client = new MongoClient(uri, { serverSelectionTimeoutMS: 5_000 });
    try {
      await client.db(name).dropDatabase();
    } finally {
      await client.close();
    }
  };
  return { uri, name, drop, [Symbol.asyncDispose]: drop };
}
