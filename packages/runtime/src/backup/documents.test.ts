import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from '@jest/globals';
import { BSON, MongoClient } from 'mongodb';
import { createDirectoryStore } from '../objects/index.ts';
import { freshDatabase } from '../testing/index.ts';
import { restoreCollection } from './documents.ts';
import { documentsKey } from './manifest.ts';

const server = freshDatabase();
const client = new MongoClient(server.uri);
const dir = await mkdtemp(join(tmpdir(), 'parley-documents-'));
const backups = createDirectoryStore({ dir });
await backups.start?.(AbortSignal.timeout(60_000));
afterAll(async () => {
  await client.db(`${server.name}-auth`).dropDatabase();
  await client.close();
  await rm(dir, { recursive: true, force: true });
});

let restored = 0;
/** Restores a collection whose documents are these bytes, as its manifest says. */
async function restore(bytes: Buffer) {
  const at = { database: 'auth', collection: `of${restored++}` };
  const stored = await backups.put(documentsKey('one', at), Readable.from([gzipSync(bytes)]), {
    ...{ contentType: 'application/gzip', signal: AbortSignal.timeout(60_000) },
  });
  const part = { ...at, ...stored, documents: 1, options: {}, indexes: [] };
  const documents = { client, prefix: `${server.name}-` };
  await restoreCollection(documents, { backups, name: 'one' }, part, AbortSignal.timeout(60_000));
  const db = client.db(documents.prefix + at.database);
  return db.collection(at.collection).find().toArray();
}

const length = (bytes: number) => Buffer.from(new Int32Array([bytes]).buffer);
test.each<[string, Buffer]>([
  ['of a negative length', Buffer.concat([length(-1), Buffer.alloc(100)])],
  ['of no length', Buffer.alloc(100)],
  ['of two gigabytes', Buffer.concat([length(2 ** 31 - 1), Buffer.alloc(30 << 20)])],
  ['that is cut off', Buffer.from(BSON.serialize({ _id: 1, text: 'Rye is sown.' })).subarray(0, 20)],
])('a document %s is named as damage, and restores nothing', async (_, bytes) => {
  await expect(restore(bytes)).rejects.toThrow(/The backup is damaged: data\/one\/documents\/auth\/of\d+\.bson\.gz /);
});

test('documents of any size that MongoDB takes come back with their types', async () => {
  const documents = [
    { _id: 1, text: 'x'.repeat(10 << 20) },
    { _id: 2, n: new BSON.Int32(1), at: new Date(0), d: new BSON.Double(1) },
  ];
  const found = await restore(Buffer.concat(documents.map((document) => BSON.serialize(document))));
  expect(found.map((document) => document['_id'])).toEqual([1, 2]);
  expect(found[0]!['text']).toHaveLength(10 << 20);
});
