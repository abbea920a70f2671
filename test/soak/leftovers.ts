import type { MongoClient } from 'mongodb';
import { isDeadTopic } from '../../packages/runtime/src/bus/bus.ts';
import { whyItStays } from '../e2e/remains.ts';
import { filesIn } from './sampling/stored.ts';

export interface Leftovers {
  /** Counts of documents and files that should be gone, by place. */
  left: Record<string, number>;
  /** Counts that docs/operations.md says stay for a time, and the system's own, by reason. */
  stays: Record<string, number>;
}

/** Collections that a system without any account has. */
const OWN = /^parley_\w+\.(migrations|leases)$|^parley_bus\.offsets$/;
const isDead = (topic: unknown) => typeof topic === 'string' && isDeadTopic(topic);

/** Returns all that is stored after the deletion of every account. */
export async function leftovers(mongo: MongoClient, objects: string): Promise<Leftovers> {
  const found: Leftovers = { left: {}, stays: {} };
  const count = (of: Record<string, number>, name: string) => {
    of[name] = (of[name] ?? 0) + 1;
  };
  const { databases } = await mongo.db('admin').admin().listDatabases({ nameOnly: true });
  for (const { name } of databases.filter((database) => database.name.startsWith('parley_')))
    for (const collection of await mongo.db(name).collections())
      for await (const document of collection.find()) {
        const place = collection.namespace;
        const why = reasonFor(place, document);
        if (why === undefined) count(found.left, isDead(document['topic']) ? `${place}, dead letters` : place);
        else count(found.stays, why);
      }
  for (const path of await filesIn(objects))
    count(found.left, path.includes('/.unfinished/') ? 'unfinished files' : 'files');
  return found;
}

function reasonFor(place: string, document: Parameters<typeof whyItStays>[1]): string | undefined {
  if (OWN.test(place)) return "the system's own";
  if (isDead(document['topic'])) return undefined;
  return whyItStays(place, document);
}
