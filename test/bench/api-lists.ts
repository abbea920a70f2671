import { randomUUID } from 'node:crypto';
import { listVersionStore } from '@parley/runtime/mongo';
import type { Db, MongoClient } from 'mongodb';

const DAYS = 365;
const DAY_MS = 24 * 3_600_000;
const BATCH = 5_000;
const STATUSES = ['open', 'assigned', 'resolved'];

type Kind = 'ticket' | 'email' | 'chat';

/** When the nth of `count` was created: evenly over a year, the newest now. */
const timeOf = (n: number, count: number) => new Date(Date.now() - (n / count) * DAYS * DAY_MS);

async function insert(db: Db, name: string, count: number, document: (n: number) => object): Promise<Date[]> {
  const collection = db.collection<{ _id: string }>(name);
  for (let from = 0; from < count; from += BATCH) {
    const size = Math.min(BATCH, count - from);
    await collection.insertMany(
      Array.from({ length: size }, (_, i) => ({
        _id: randomUUID(),
        created_at: timeOf(from + i, count),
        updated_at: timeOf(from + i, count),
        deleted_at: null,
        ...document(from + i),
      })),
      { ordered: false },
    );
  }
  return Array.from({ length: DAYS + 1 }, (_, day) => new Date(Date.now() - day * DAY_MS));
}

/** Stores threads of an assistant, a third of them open, as they would be a year later. */
export async function fillThreads(mongo: MongoClient, account: string, kind: Kind, assistant: string, count: number) {
  const db = mongo.db('parley_conversations');
  const place = { account, kind, assistant };
  const days = await insert(db, 'threads', count, (n) => ({
    ...place,
    ...(kind === 'chat' ? { session_id: randomUUID(), status: null, priority: null } : CASE(n, kind)),
    ...{ n: 2, last: null, questions: 1, bytes: 200, hold: null, blocked_at: null, pending: null },
    ...{ fence: 1, failed: null, waiting: [], seq: 1, outbox: [] },
  }));
  const listVersions = listVersionStore(db, ['kind', 'assistant']);
  for (const created_at of days) await listVersions.create({ ...place, created_at });
}

const CASE = (n: number, kind: Kind) => ({
  status: STATUSES[n % STATUSES.length],
  priority: 'medium',
  from: { email: `ann${n}@example.com`, name: 'Ann' },
  address: `ann${n}@example.com`,
  subject: kind === 'email' ? 'My lamp flickers' : '',
});

/** Stores FAQs of an account, not trained yet. */
export async function fillKnowledge(mongo: MongoClient, account: string, count: number) {
  const db = mongo.db('parley_corpus');
  const untrained = { state: 'idle', progress: { sources_found: 0, sources_done: 0, chunks: 0 } };
  const days = await insert(db, 'knowledge_items', count, (n) => ({
    ...{ account, type: 'faq', faq: { title: `Lamps ${n}`, description: null }, content_version: 0, generation: 0 },
    ...{ trained_at: null, training_failed_at: null, training_failed_with: null, training_notes: [] },
    ...{ training: untrained, live: null, seq: 1, outbox: [] },
  }));
  const listVersions = listVersionStore(db);
  for (const created_at of days) await listVersions.create({ account, created_at });
}
