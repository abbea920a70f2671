import { buffer } from 'node:stream/consumers';
import { fromBinary } from '@bufbuild/protobuf';
import { EventSchema } from '@parley/proto/events/v1/events_pb';
import { BSON, type Document, type WithId } from 'mongodb';
import type { World } from './world.ts';

/** What is still stored of an account: by collection or file, the words that were found. */
export type Traces = Record<string, string[]>;

/**
 * Looks for words (an account's id, its names and texts) in every document of every database and in every file. Allowed is
 * only what a deleted account leaves: the marks, which are the account's id and two times; events on the bus, which are ids;
 * and reserved aliases, which don't say whose they were.
 */
export async function tracesOf(
  { mongo, objects }: Pick<World, 'mongo' | 'objects'>,
  id: string,
  words: readonly string[],
): Promise<Traces> {
  const needles = [id, ...words];
  const traces: Traces = {};
  const look = (place: string, bytes: Uint8Array) => {
    const text = Buffer.from(bytes);
    const found = needles.filter((needle) => text.includes(needle));
    if (found.length > 0) traces[place] = [...new Set([...(traces[place] ?? []), ...found])];
  };
  const { databases } = await mongo.db('admin').admin().listDatabases({ nameOnly: true });
  for (const { name } of databases)
    for (const collection of await mongo.db(name).collections()) {
      const place = collection.namespace;
      for await (const document of collection.find())
        if (!isAllowed(place, document, id)) look(place, BSON.serialize(document));
    }
  for await (const { key } of objects.list('')) {
    const stored = await objects.get(key);
    if (stored) look(`file ${key}`, Buffer.concat([Buffer.from(key), await buffer(stored.body)]));
  }
  return traces;
}

const MARKED = /^parley_(auth|assistants|conversations|corpus)\.deleted_accounts$/;

function isAllowed(place: string, document: WithId<Document>, id: string): boolean {
  if (MARKED.test(place))
    return (
      Object.keys(document).every((field) => ['_id', 'deleted_at', 'due'].includes(field)) &&
      document._id === (id as never)
    );
  if (place === 'parley_assistants.aliases') return document['account'] === '' && document['until'] instanceof Date;
  if (place !== 'parley_bus.messages') return false;
  const { accountId, fact } = fromBinary(EventSchema, document['value'].buffer);
  // The value of every other field is an id or a number.
  return accountId === id && fact.case !== 'trainingFailed';
}
