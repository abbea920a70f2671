import type { Document, MongoClient } from 'mongodb';
import { filesIn } from './sampling/stored.ts';

/** A field of one collection that names a document of another one. */
const REFERENCES = [
  ['parley_corpus.sub_pages', 'build', 'parley_corpus.builds'],
  ['parley_corpus.builds', 'item', 'parley_corpus.knowledge_items'],
  ['parley_corpus.faq_items', 'item', 'parley_corpus.knowledge_items'],
  ['parley_assistants.assistants', 'knowledge.item', 'parley_corpus.knowledge_items'],
  ['parley_conversations.entries', 'thread', 'parley_conversations.threads'],
  ['parley_conversations.evidence', 'thread', 'parley_conversations.threads'],
  ['parley_conversations.threads', 'assistant', 'parley_assistants.assistants'],
  ['parley_conversations.blocks', 'assistant', 'parley_assistants.assistants'],
  ['parley_conversations.list_versions', 'assistant', 'parley_assistants.assistants'],
] as const;
/** Collections whose documents name their account. */
const OWNED = [...new Set(REFERENCES.flatMap(([place, , named]) => [place, named])), 'parley_auth.api_keys'];
const FILE = /^accounts\/([^/]+)\/knowledge\/([^/]+)\/(?:builds\/(\d+)\/)?/;
/** Tombstones outlive their parents by minutes. */
const LIVE = { deleted_at: null };
const SHOWN = 3;

/** Returns the children of deleted things, in the database and among the files. */
export async function orphans(mongo: MongoClient, objects: string): Promise<string[]> {
  const accounts = await distinct(mongo, 'parley_auth.accounts', '_id');
  const found: string[] = [];
  for (const [place, field, named] of REFERENCES)
    found.push(...(await missing(mongo, place, field, await distinct(mongo, named, '_id'), LIVE)));
  for (const place of OWNED) found.push(...(await missing(mongo, place, 'account', accounts)));
  return [...found, ...(await strayFiles(mongo, objects))];
}

async function missing(mongo: MongoClient, place: string, field: string, known: ReadonlySet<string>, filter = {}) {
  const unknown = [...(await distinct(mongo, place, field, filter))].filter((id) => !known.has(id));
  return unknown.length > 0 ? [`${place}: ${unknown.length} unknown ${field}s (${few(unknown)})`] : [];
}

/** Files of items, and of their builds, that do not exist. */
async function strayFiles(mongo: MongoClient, objects: string): Promise<string[]> {
  const items = await distinct(mongo, 'parley_corpus.knowledge_items', '_id');
  const builds = await distinct(mongo, 'parley_corpus.builds', '_id');
  const stray = (await filesIn(objects))
    .map((path) => path.slice(objects.length + 1))
    .filter((key) => {
      const [, , item, fence] = FILE.exec(key) ?? [];
      return !item || !items.has(item) || (fence !== undefined && !builds.has(`${item}:${fence}`));
    });
  return stray.length > 0 ? [`files: ${stray.length} of nothing (${few(stray)})`] : [];
}

async function distinct(mongo: MongoClient, place: string, field: string, filter = {}): Promise<Set<string>> {
  const [database, name] = place.split('.') as [string, string];
  const documents = mongo.db(database).collection<Document>(name);
  // Not `distinct`, whose answer has to fit into one document.
  const groups = documents.aggregate<{ _id: string | string[] }>([
    { $match: filter },
    { $group: { _id: `$${field}` } },
  ]);
  const values = (await groups.toArray()).flatMap(({ _id }) => _id ?? []);
  return new Set(values);
}

const few = (all: readonly string[]): string => `${all.slice(0, SHOWN).join(', ')}${all.length > SHOWN ? ', …' : ''}`;
