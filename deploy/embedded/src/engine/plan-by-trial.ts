import { MongoClient } from 'mongodb';

/**
 * Lets the engine choose between indexes by trying them, as servers did before. By default it estimates costs where the
 * trial of 10,000 steps shows no winner, with a part that this build does not have: such a query would fail.
 */
export async function planByTrial(uri: string): Promise<void> {
  const client = new MongoClient(uri, { maxPoolSize: 1, serverSelectionTimeoutMS: 5_000 });
  try {
    await client.db('admin').command({ setParameter: 1, internalQueryPlanRanker: 'multiPlanning' });
  } finally {
    await client.close();
  }
}
