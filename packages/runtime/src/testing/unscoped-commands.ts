import type { CommandStartedEvent, Document, MongoClient } from 'mongodb';

/**
 * For tests of "no query without the account": runs `work` and returns the commands that read or changed documents with
 * a filter that has no account. The client must have been created with `monitorCommands`.
 */
export async function unscopedCommands(client: MongoClient, work: () => unknown): Promise<string[]> {
  const found: string[] = [];
  const watch = (event: CommandStartedEvent) => {
    for (const filter of filtersOf(event.command))
      if (!isScoped(filter)) found.push(`${event.commandName} ${JSON.stringify(filter)}`);
  };
  client.on('commandStarted', watch);
  try {
    await work();
  } finally {
    client.off('commandStarted', watch);
  }
  return found;
}

function filtersOf(command: Document): Document[] {
  const findAndModify = command['query'] ? [{ q: command['query'], upsert: command['upsert'] }] : [];
  const changes: Document[] = [...(command['updates'] ?? []), ...(command['deletes'] ?? []), ...findAndModify];
  // A document inserted under its own id has no owner yet.
  const changed = changes.filter(({ q, upsert }) => !(upsert && 'created_at' in q)).map(({ q }) => q);
  const read = [command['filter'], command['pipeline']?.[0]?.$match];
  return [...changed, ...read.filter((filter) => filter !== undefined)];
}

const isScoped = (filter: Document): boolean =>
  'account' in filter || (filter['$and'] ?? []).some((part: Document) => isScoped(part));
