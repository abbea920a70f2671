import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { BSON, type Collection, type Document, type IndexDescription, type MongoClient } from 'mongodb';
import type { ObjectStore } from '../objects/objects.ts';
import { checkedBody, damaged } from './checked-body.ts';
import { type CollectionPart, documentsKey } from './manifest.ts';
import type { AtPoint } from './point.ts';

/** Where documents come from or go to: the databases whose names begin with the prefix. */
export interface Documents {
  client: MongoClient;
  /** Ends with `_`. */
  prefix: string;
}

const LEVEL = 1;
const LENGTH_BYTES = 4;
/** Bytes of a document: of an empty one, and the most that MongoDB stores, its own overhead included. */
const [SMALLEST, LARGEST] = [5, (16 << 20) + (16 << 10)];
const CHUNK_BYTES = 1 << 20;
const BATCH_BYTES = 8 << 20;
const BATCH_DOCUMENTS = 1_000;

/** The databases with our prefix, by service. */
export async function databasesOf({ client, prefix }: Documents): Promise<string[]> {
  const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
  return databases.flatMap(({ name }) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : [])).sort();
}

/** Copies all documents to a backup, collection by collection. */
export async function saveDocuments(
  documents: Documents,
  to: { backups: ObjectStore; name: string },
  at: AtPoint & { signal: AbortSignal; say(line: string): void },
): Promise<CollectionPart[]> {
  const parts: CollectionPart[] = [];
  for (const database of await databasesOf(documents)) {
    const db = documents.client.db(documents.prefix + database);
    const found = await db.listCollections({ type: 'collection' }, { nameOnly: false }).toArray();
    for (const { name: collection, options = {} } of found.filter(({ name }) => !name.startsWith('system.'))) {
      at.signal.throwIfAborted();
      const part = await saveCollection(db.collection(collection), documentsKey(to.name, { database, collection }), {
        ...at,
        backups: to.backups,
      });
      parts.push({ database, collection, options: options as Record<string, unknown>, ...part });
      at.say(`documents: ${database}.${collection}: ${part.documents}`);
    }
  }
  return parts;
}

async function saveCollection(
  collection: Collection,
  key: string,
  { backups, session, signal }: AtPoint & { backups: ObjectStore; signal: AbortSignal },
) {
  const indexes = (await collection.indexes()).filter(({ name }) => name !== '_id_') as IndexDescription[];
  let documents = 0;
  async function* all() {
    for await (const document of collection.find({}, { raw: true, ...(session && { session }) })) {
      documents += 1;
      yield document as unknown as Uint8Array;
    }
  }
  const zipped = createGzip({ level: LEVEL });
  const reading = pipeline(Readable.from(all(), { objectMode: false }), zipped, { signal });
  const [stored] = await Promise.all([backups.put(key, zipped, { contentType: 'application/gzip', signal }), reading]);
  return { ...stored, documents, indexes };
}

/** Writes a collection of a backup into an empty database. @throws AppError `failed_precondition` if the backup is damaged */
export async function restoreCollection(
  { client, prefix }: Documents,
  from: { backups: ObjectStore; name: string },
  part: CollectionPart,
  signal: AbortSignal,
): Promise<void> {
  const db = client.db(prefix + part.database);
  const collection = await db.createCollection(part.collection, part.options);
  const key = documentsKey(from.name, part);
  await pipeline(
    await checkedBody(from.backups, key, part.sha256, signal),
    createGunzip({ chunkSize: CHUNK_BYTES }),
    async (bytes: AsyncIterable<Buffer>) => {
      for await (const batch of batchesOf(bytes, key)) await collection.insertMany(batch, { ordered: false });
    },
    { signal },
  ).catch((error) => {
    // Decompressing may notice first.
    throw String(error.code).startsWith('Z_') ? damaged(key) : error;
  });
  if (part.indexes.length > 0) await collection.createIndexes(part.indexes);
}

/** The documents in a stream of BSON, with the types of their numbers. */
async function* batchesOf(bytes: AsyncIterable<Buffer>, key: string): AsyncGenerator<Document[]> {
  let rest: Buffer = Buffer.alloc(0);
  let batch: Document[] = [];
  let size = 0;
  for await (const part of bytes) {
    rest = rest.length === 0 ? part : Buffer.concat([rest, part]);
    let at = 0;
    while (rest.length - at >= LENGTH_BYTES) {
      const length = rest.readInt32LE(at);
      if (length < SMALLEST || length > LARGEST) throw damaged(key);
      if (rest.length - at < length) break;
      batch.push(documentOf(rest.subarray(at, at + length), key));
      size += length;
      at += length;
      if (size < BATCH_BYTES && batch.length < BATCH_DOCUMENTS) continue;
      yield batch;
      batch = [];
      size = 0;
    }
    rest = rest.subarray(at);
  }
  if (rest.length > 0) throw damaged(key);
  if (batch.length > 0) yield batch;
}

function documentOf(bytes: Buffer, key: string): Document {
  try {
    return BSON.deserialize(bytes, { promoteValues: false, bsonRegExp: true });
  } catch {
    throw damaged(key);
  }
}
