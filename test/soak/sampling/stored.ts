import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { MongoClient } from 'mongodb';

/** The content of a collection or a folder; bytes of documents are counted without compression and indexes. */
export interface Stored {
  count: number;
  bytes: number;
}

/** By namespace: `parley_corpus.builds`. */
export async function storedDocuments(mongo: MongoClient): Promise<Record<string, Stored>> {
  const stored: Record<string, Stored> = {};
  const { databases } = await mongo.db('admin').admin().listDatabases({ nameOnly: true });
  for (const { name } of databases.filter((database) => database.name.startsWith('parley_')))
    for (const { collectionName } of await mongo.db(name).collections()) {
      const { count, size } = await mongo.db(name).command({ collStats: collectionName });
      stored[`${name}.${collectionName}`] = { count, bytes: size };
    }
  return stored;
}

/** The files of a folder and its subfolders. */
export async function storedFiles(folder: string): Promise<Stored> {
  const found = { count: 0, bytes: 0 };
  for (const path of await filesIn(folder)) {
    const file = await stat(path).catch(() => undefined); // It may be gone by now.
    if (!file) continue;
    found.count += 1;
    found.bytes += file.size;
  }
  return found;
}

/** Paths of the files of a folder and its subfolders; empty if there is none. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const paths = entries.map((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });
  return (await Promise.all(paths)).flat();
}
