import { MongoClient } from 'mongodb';

/**
 * Makes the engine choose between indexes by trial, as older servers did. By default, if a trial of 10,000 steps shows no
 * winner, it estimates costs with a component that this build lacks, and the query fails.
 */
export async function planByTrial(uri: string): Promise<void> {
  const client = new MongoClient(uri, { maxPoolSize: 1, serverSelectionTimeoutMS: 5_000 });
  try {
    await client.db('admin').command({ setParameter: 1, internalQueryPlanRanker: 'multiPlanning' });
  } finally {
    await client.close();
  }
}
