import { buffer } from 'node:stream/consumers';
import { BSON } from 'mongodb';
import { whyItStays } from './remains.ts';
import type { World } from './world.ts';

/** Traces of an account: by collection or file, the words that were found. */
export type Traces = Record<string, string[]>;

/**
 * Looks for words (an account's id, its names and texts) in every document of every database and in every file, except in
 * what a deleted account leaves.
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
        if (whyItStays(place, document, id) === undefined) look(place, BSON.serialize(document));
    }
  for await (const { key } of objects.list('')) {
    const stored = await objects.get(key);
    if (stored) look(`file ${key}`, Buffer.concat([Buffer.from(key), await buffer(stored.body)]));
  }
  return traces;
}
