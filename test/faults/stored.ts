import { until } from '@parley/runtime/testing';
import { BSON, type Document, type MongoClient } from 'mongodb';
import type { Made } from './posts.ts';

/** Every document of every database, as text, by collection. */
export type Stored = Record<string, string[]>;

/** What changes without a request, or with every one: leases, positions on the bus, the gateway's own records. */
const RESTLESS = /\.(leases|offsets)$|^parley_gateway\./;

/** Fields that a retry may change: a key whose secret was never shown gets another one. */
const CHANGING: Record<string, string[]> = {
  'parley_auth.api_keys': ['hash', 'last_used_at'],
};

async function read(mongo: MongoClient): Promise<Stored> {
  const stored: Stored = {};
  const { databases } = await mongo.db('admin').admin().listDatabases({ nameOnly: true });
  for (const { name } of databases)
    for (const collection of await mongo.db(name).collections()) {
      const place = collection.namespace;
      if (!place.startsWith('parley_') || RESTLESS.test(place)) continue;
      const documents = await collection.find().sort({ _id: 1 }).toArray();
      stored[place] = documents.map((document) => textOf(document, CHANGING[place] ?? []));
    }
  return stored;
}

const textOf = (document: Document, without: string[]): string =>
  BSON.EJSON.stringify(Object.fromEntries(Object.entries(document).filter(([field]) => !without.includes(field))));

const EVERY_MS = 200;

/** What is stored once every event has been published and nothing changes any more. */
export async function settled(mongo: MongoClient): Promise<Stored> {
  let last: Stored = {};
  return until(
    async () => {
      const before = last;
      last = await read(mongo);
      return { before, last };
    },
    ({ before, last }) => {
      const documents = Object.values(last).flat();
      return (
        JSON.stringify(before) === JSON.stringify(last) && !documents.some((text) => text.includes('"outbox_due"'))
      );
    },
    undefined,
    EVERY_MS,
  ).then(({ last }) => last);
}

/** How many documents each of these collections has gained. */
export const growth = (before: Stored, after: Stored, collections: Made): Made =>
  Object.fromEntries(
    Object.keys(collections).map((name) => [name, (after[name]?.length ?? 0) - (before[name]?.length ?? 0)]),
  );
