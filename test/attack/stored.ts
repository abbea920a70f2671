import { createHash } from 'node:crypto';
import { until } from '@parley/runtime/testing';
import { BSON, type Document, type MongoClient } from 'mongodb';

/** The hash of each document, by collection and id. */
export type Stored = Map<string, string>;

/** Reads what is stored of some accounts. */
export interface Store {
  read(): Promise<Stored>;
  /**
   * The same once nothing that was accepted before is still at work, such as a training, the AI on a ticket, or the copy of an
   * entry.
   */
  settled(): Promise<Stored>;
}

/**
 * Answers for retries with the same Idempotency-Key, which may be refusals; and what follows events, later: counters, the
 * marks of deleted assistants and knowledge, the mails of stored messages, which workers send meanwhile, and the log of events.
 */
const EXEMPT = ['idempotency', 'list_versions', 'deleted_parents', 'mails', 'events', 'feeds', 'webhook_deliveries'];
/**
 * Fields that change without a change: relays and sweepers do what is due, keys record when they were used, and webhooks how far
 * the deliveries to them have got.
 */
const RESTLESS =
  /^outbox|_due$|^(retired|emptied|last_used)_at$|^(position|head|held|failures|failing_since|due|due_claim)$/;

/** Answers that wait longer than this wait for the end of a quiet time. */
const SOON_MS = 120_000;

/** Looks into all collections of all services. */
export async function openStore(mongo: MongoClient, accounts: string[]): Promise<Store> {
  const $match = { account: { $in: accounts } };
  const { databases } = await mongo.db('admin').admin().listDatabases({ nameOnly: true });
  const readers: (() => Promise<Document[]>)[] = [];
  for (const { name } of databases.filter(({ name }) => name.startsWith('parley_'))) {
    const collections = (await mongo.db(name).collections()).map(({ collectionName }) => collectionName);
    const stages = collections
      .filter((collection) => !EXEMPT.includes(collection))
      .map((collection) => ({ coll: collection, pipeline: [{ $match }, { $set: { in: `${name}.${collection}` } }] }));
    const [first, ...others] = stages;
    if (!first) continue;
    const pipeline = [...first.pipeline, ...others.map((stage) => ({ $unionWith: stage }))];
    readers.push(() => mongo.db(name).collection(first.coll).aggregate(pipeline).toArray());
  }
  const read = async () => {
    const documents = (await Promise.all(readers.map((read) => read()))).flat();
    return new Map(documents.map((document) => [`${document['in']} ${document._id}`, hashOf(document)]));
  };
  const items = mongo.db('parley_corpus').collection('knowledge_items');
  const threads = mongo.db('parley_conversations').collection('threads');
  /** Newest entries that are still in their threads only: they are copied after the answer. */
  const uncopied = [
    { $match: { ...$match, last: { $ne: null }, deleted_at: null } },
    { $lookup: { from: 'entries', localField: 'last._id', foreignField: '_id', as: 'copies' } },
    { $match: { copies: [] } },
  ];
  const running = { ...$match, 'training.state': { $in: ['queued', 'running'] } };
  const isSoon = () => ({ $lte: new Date(Date.now() + SOON_MS) });
  const answering = () => ({ ...$match, 'pending.due': true, 'pending.until': isSoon() });
  return {
    read,
    async settled() {
      await until(async () => (await items.countDocuments(running)) === 0);
      await until(async () => (await threads.countDocuments(answering())) === 0);
      await until(async () => (await threads.aggregate(uncopied).toArray()).length === 0);
      let last = await read();
      await until(async () => {
        const before = last;
        last = await read();
        return changes(before, last).length === 0;
      });
      return last;
    },
  };
}

function hashOf(document: Document): string {
  const rest = Object.entries(document).filter(([field]) => !RESTLESS.test(field));
  return createHash('sha256')
    .update(BSON.serialize(Object.fromEntries(rest)))
    .digest('base64');
}

/** The documents that are in one and not, or not the same, in the other. */
export function changes(before: Stored, after: Stored): string[] {
  const ids = new Set([...before.keys(), ...after.keys()]);
  return [...ids].filter((id) => before.get(id) !== after.get(id));
}
