import type { CommandStartedEvent, Document, MongoClient } from 'mongodb';

/** The database's cost of one read. */
export interface Examined {
  /** For example `find chunks`. */
  read: string;
  returned: number;
  keys: number;
  documents: number;
}

/**
 * For tests of indexes: runs `work` and returns how many keys and documents the database examined for each of its
 * reads, according to `explain`. The client must have been created with `monitorCommands`.
 */
export async function examined(client: MongoClient, work: () => unknown): Promise<Examined[]> {
  const reads: CommandStartedEvent[] = [];
  const watch = (event: CommandStartedEvent) => {
    if (event.commandName === 'find' || event.commandName === 'aggregate') reads.push(event);
  };
  client.on('commandStarted', watch);
  try {
    await work();
  } finally {
    client.off('commandStarted', watch);
  }
  return Promise.all(reads.map((read) => explain(client, read)));
}

async function explain(client: MongoClient, { databaseName, commandName, command }: CommandStartedEvent) {
  const { lsid, $db, $clusterTime, ...read } = command;
  const explained = await client.db(databaseName).command({ explain: read, verbosity: 'executionStats' });
  const stats = statsOf(explained);
  return {
    read: `${commandName} ${read[commandName]}`,
    returned: stats['nReturned'],
    keys: stats['totalKeysExamined'],
    documents: stats['totalDocsExamined'],
  };
}

/** Returns the statistics of a find, or of the cursor at the start of a pipeline. */
const statsOf = ({ executionStats, stages }: Document): Document => executionStats ?? stages[0].$cursor.executionStats;
