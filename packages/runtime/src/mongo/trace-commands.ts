import type { MongoClient } from 'mongodb';
import { activeHeaders, beginSpan, isTraced, type OpenSpan } from '../telemetry/tracing.ts';

/** Commands under way that have spans; a connection pool has far fewer. */
const MAX_OPEN = 1_000;

/** Gives each command that a trace has led to its span: its name and its collection, nothing of what it says. */
export function traceCommands(client: MongoClient): void {
  if (!isTraced()) return;
  const open = new Map<number, OpenSpan>();
  client.on('commandStarted', ({ requestId, commandName, databaseName, command }) => {
    // Sweepers and relays ask all the time.
    if (activeHeaders()['traceparent'] === undefined || open.size >= MAX_OPEN) return;
    const target: unknown = commandName === 'getMore' ? command['collection'] : command[commandName];
    const collection = typeof target === 'string' ? target : undefined;
    const attributes = {
      'db.system.name': 'mongodb',
      'db.namespace': databaseName,
      'db.operation.name': commandName,
      ...(collection && { 'db.collection.name': collection }),
    };
    open.set(requestId, beginSpan([commandName, collection].filter(Boolean).join(' '), { kind: 'client', attributes }));
  });
  const ended = (requestId: number, failure?: string) => {
    open.get(requestId)?.end(failure);
    open.delete(requestId);
  };
  client.on('commandSucceeded', ({ requestId }) => ended(requestId));
  client.on('commandFailed', ({ requestId, failure }) => ended(requestId, failure.name));
}
