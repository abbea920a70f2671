/** The system that all tests in this folder share, and the resources they start from. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Api, must } from '../e2e/api.ts';
import type { ApiKey, Chatbot, EmailInbox, TicketForm } from '../e2e/resources.ts';
import { SCOPES, type Scope, unique } from './operations.ts';
import { populated } from './populated.ts';
import { tested } from './tested.ts';

const given = await tested();
afterAll(given.stop);

/** Creates a key of account `a` with these scopes only. */
export async function keyWith(...scopes: Scope[]): Promise<string> {
  return must(await given.a.api.post<ApiKey>('/api-keys', { name: scopes.join(' ') || 'bare', scopes })).key;
}

/** A client of account `a` with another key. */
const having = (key: string): Api => given.a.api.as(`Bearer ${key}`);

async function prepare() {
  const { a, b, seed } = given;
  const [mine, theirs] = [await populated(a, seed), await populated(b, seed)];
  const parents = {
    faq: await a.faq('Many', { 'Why?': 'So.' }),
    chatbot: must(await a.api.post<Chatbot>('/chatbots', { title: 'Many' })),
    form: must(await a.api.post<TicketForm>('/ticket-forms', { title: 'Many' })),
    inbox: must(await a.api.post<EmailInbox>('/email-inboxes', { alias: unique(), title: 'Many' })),
  };
  const scoped = {} as Record<Scope, { only: Api; without: Api }>;
  for (const scope of SCOPES) {
    const others = SCOPES.filter((other) => other !== scope);
    scoped[scope] = { only: having(await keyWith(scope)), without: having(await keyWith(...others)) };
  }
  return { mine, theirs, bare: await keyWith(), parents, scoped };
}

export const { baseUrl, mongo, readsOurSites, a, b, seed } = given;

/**
 * No other module of the suite awaits anything while it is loaded: modules that do are loaded side by side, and their tests
 * would run in any order.
 */
export const {
  /** Resources of account `a`, which tests read but do not delete. */
  mine,
  /** Resources of account `b`, which tests only read. */
  theirs,
  /** A key of account `a` without any scope. */
  bare,
  /** Parents of account `a` whose lists only `lists.ts` fills. */
  parents,
  /** For each scope, a client with that scope alone, and one with every other scope. */
  scoped,
} = await prepare().catch(async (error) => {
  await given.stop();
  throw error;
});

/** Collections that grow by themselves, or with every request. */
const RESTLESS =
  /lease|chunks|builds|deleted|migrations|bus|messages|offsets|idempotency|rate|limits|buckets|mails|_events\./i;

async function countStored(): Promise<Record<string, number>> {
  if (!mongo) return {};
  const counts: Record<string, number> = {};
  for (const { name } of (await mongo.db('admin').admin().listDatabases()).databases) {
    if (!name.startsWith('parley_')) continue;
    for (const collection of await mongo.db(name).collections()) {
      const full = `${name}.${collection.collectionName}`;
      if (!RESTLESS.test(full)) counts[full] = await collection.countDocuments();
    }
  }
  return counts;
}

const readAll = (paths: string[]) =>
  Promise.all(
    paths.map(async (path) => {
      const { status, text } = await a.api.get(path);
      return [path, status, text] as const;
    }),
  );

/**
 * Defines tests of refused requests, and one more: what can be read at these paths did not change meanwhile, and no
 * collection has more documents. It may have fewer: what was deleted before is purged in the background.
 */
export function storesNothing(paths: string[], define: () => void): void {
  describe('when refused', () => {
    let before: { read: unknown; counts: Record<string, number> };
    const now = async () => ({ read: await readAll(paths), counts: await countStored() });
    beforeAll(async () => {
      before = await now();
    });
    define();
    test('stores nothing', async () => {
      const { read, counts } = await now();
      expect(read).toEqual(before.read);
      const grown = Object.entries(counts).filter(([name, count]) => count > (before.counts[name] ?? 0));
      expect(grown).toEqual([]);
    });
  });
}
