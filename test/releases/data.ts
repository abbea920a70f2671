import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Document, IndexDescription, MongoClient } from 'mongodb';

interface Stored {
  documents: Document[];
  indexes: IndexDescription[];
}

/** By database and collection. */
export type Databases = Record<string, Record<string, Stored>>;

/** Contents in base64 by path. */
export type Files = Record<string, string>;

/** Prefix of the database of each service. */
const OURS = /^parley/;

export async function readDatabases(mongo: MongoClient): Promise<Databases> {
  const databases: Databases = {};
  for (const { name } of (await mongo.db('admin').admin().listDatabases()).databases.filter(({ name }) =>
    OURS.test(name),
  )) {
    const collections: Record<string, Stored> = {};
    for (const collection of await mongo.db(name).collections())
      collections[collection.collectionName] = {
        documents: await collection.find({}, { promoteValues: false }).toArray(),
        indexes: (await collection.indexes()).filter(({ name }) => name !== '_id_') as IndexDescription[],
      };
    databases[name] = collections;
  }
  return databases;
}

export async function writeDatabases(mongo: MongoClient, databases: Databases): Promise<void> {
  for (const [name, collections] of Object.entries(databases))
    for (const [collectionName, { documents, indexes }] of Object.entries(collections)) {
      const collection = await mongo.db(name).createCollection(collectionName);
      if (documents.length > 0) await collection.insertMany(documents);
      if (indexes.length > 0) await collection.createIndexes(indexes);
    }
}

export async function readFiles(dir: string): Promise<Files> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const files = paths.map(
    async (path) => [path.slice(dir.length + 1), (await readFile(path)).toString('base64')] as const,
  );
  return Object.fromEntries(await Promise.all(files));
}

export async function writeFiles(dir: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), Buffer.from(content, 'base64'));
  }
}
