import { until } from '@parley/runtime/testing';
import { BSON, type Document, type MongoClient } from 'mongodb';
import type { Made } from './posts.ts';

/** Every document of every database, but for what may change at any time, as text, by collection. */
export type Stored = Record<string, string[]>;

/**
 * Collections that change without a request, or with every one: leases, positions on the bus, the versions of lists, which say
 * no more than that something may have changed, and the gateway's own records.
 */
const RESTLESS = /\.(leases|offsets|list_versions)$|^parley_gateway\./;

// Counts every look at the quota, also one that takes nothing.
const OF_QUOTA = ['version'];

const CHANGING: Record<string, string[]> = {
  'parley_auth.quotas': OF_QUOTA,
  'parley_conversations.quotas': OF_QUOTA,
  'parley_corpus.quotas': OF_QUOTA,
  'parley_events.quotas': OF_QUOTA,
  // A key whose secret was never shown gets another one.
  'parley_auth.api_keys': ['hash', 'last_used_at'],
  // So does a webhook.
  'parley_events.webhooks': ['secrets'],
  // Until the sweeper has looked at the build of a training.
  'parley_corpus.knowledge_items': ['builds_due'],
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

/** Returns all that is stored, once every event is published and nothing changes any more. */
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
