import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createLog, randomId } from '@parley/runtime';
import { createPurge } from '@parley/runtime/mongo';
import { until } from '@parley/runtime/testing';
import fc from 'fast-check';
import type { DocumentDetails, StrayObject } from '../model.ts';
import { corpusWorld } from '../testing.ts';
import { type DocumentStore, newDocument } from './documents.ts';
import { sweepFiles } from './file-sweeper.ts';
import { forgetStrays, itemSettleMs, MAX_STRAYS } from './strays.ts';

const DAY = 24 * 3_600_000;
const LATE = new Date(0);
const log = createLog('test', 'silent');

let world: Awaited<ReturnType<typeof corpusWorld>>;
let documents: DocumentStore;
let account: string;
let id: string;
beforeAll(async () => {
  world = await corpusWorld();
  ({ documents } = world.corpus);
});
beforeEach(async () => {
  await world.emptyQueue();
  account = randomId();
  const document = newDocument({ file_type: 'text/plain', file_name: null });
  id = (await world.corpus.items.create(account, randomId(), { type: 'document', document }))._id;
});
afterAll(() => world.close());

const stored = async () => (await world.stored(id)) as unknown as StoredDocument;
interface StoredDocument {
  created_at: Date;
  deleted_at: Date | null;
  files_due: Date | null;
  content_version: number;
  document: DocumentDetails;
  strays?: StrayObject[];
}
const change = (fields: object) => world.corpus.collections.items.unlisted.updateOne({ _id: id }, { $set: fields });
const begin = () => documents.begin(account, id, randomId());
const complete = (key: string) => documents.complete(account, id, { key, bytes: 1, sha256: 'hash' });
async function upload() {
  const key = await begin();
  await complete(key);
  return key;
}

/** Sweeps until nothing is due; returns what it deleted. */
async function sweep() {
  const deleted: string[] = [];
  const objects = { delete: async (key: string) => void deleted.push(key) };
  const { collections } = world.corpus;
  while (await sweepFiles({ collections, objects }, new AbortController().signal));
  return deleted;
}

test('an upload is recorded before its first byte, and becomes the file when it is complete', async () => {
  const operation = randomId();
  const key = await documents.begin(account, id, operation);
  expect(key).toBe(`accounts/${account}/knowledge/${id}/uploads/${operation}.bin`);
  expect(await documents.begin(account, id, operation)).toBe(key);
  expect(await stored()).toMatchObject({ document: { upload: null }, strays: [{ key, due: expect.any(Date) }] });
  await complete(key);
  await complete(key);
  const file = { document: { upload: { key, bytes: 1, sha256: 'hash' } }, strays: [] };
  expect(await stored()).toMatchObject(file);
  // The first attempt to begin it arrives late.
  expect(await documents.begin(account, id, operation)).toBe(key);
  expect(await stored()).toMatchObject(file);
});

test('a replaced upload is a stray until its object is deleted', async () => {
  const first = await upload();
  const second = await begin();
  await complete(second);
  expect(await stored()).toMatchObject({ document: { upload: { key: second } }, strays: [{ key: first }] });
  const away = { delete: () => Promise.reject(new Error('unavailable')) };
  const parts = { collections: world.corpus.collections, objects: away };
  await expect(sweepFiles(parts, new AbortController().signal)).rejects.toThrow('unavailable');
  expect((await stored()).strays).toHaveLength(1);
  expect(await sweep()).toEqual([first]);
  const { document, strays, files_due, created_at } = await stored();
  expect([document.upload?.key, strays]).toEqual([second, []]);
  expect(files_due!.getTime()).toBe(created_at.getTime() + DAY);
});

test('an abandoned upload is deleted once it can no longer complete, not before', async () => {
  const kept = await upload();
  const key = await begin();
  expect(await sweep()).toEqual([]);
  await change({ 'strays.0.due': LATE, files_due: LATE });
  await expect(complete(key)).rejects.toMatchObject({ code: 'not_found' });
  expect(await sweep()).toEqual([key]);
  expect(await stored()).toMatchObject({ document: { upload: { key: kept } }, strays: [] });
});

test('of finalizing and a concurrent upload, the one that comes first wins', async () => {
  const first = await upload();
  const second = await begin();
  expect(await documents.finalize(account, id, second)).toBe(false);
  await complete(second);
  // What was validated is not the file any more.
  expect(await documents.finalize(account, id, first)).toBe(false);
  const third = await begin();
  expect(await documents.finalize(account, id, second)).toBe(true);
  await expect(complete(third)).rejects.toMatchObject({ code: 'already_exists' });
  await expect(begin()).rejects.toMatchObject({ code: 'already_exists' });
  expect(await stored()).toMatchObject({ content_version: 1, document: { upload: { key: second } } });
  // What is left of the others is deleted; the file is not.
  await change({ 'strays.$[].due': LATE, files_due: LATE });
  expect((await sweep()).sort()).toEqual([first, third].sort());
  expect(await stored()).toMatchObject({ files_due: null, document: { upload: { key: second } }, strays: [] });
});

test('whatever the order of uploads, finalizing and sweeps, every object but the file is recorded or deleted', async () => {
  const step = fc.constantFrom('begin', 'complete', 'complete first', 'finalize', 'expire', 'sweep');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const document = newDocument({ file_type: 'text/plain', file_name: null });
      id = (await world.corpus.items.create(account, randomId(), { type: 'document', document }))._id;
      const objects = new Set<string>();
      const begun: string[] = [];
      let file: string | undefined;
      let finalized = false;
      for (const each of steps) {
        if (each === 'begin') {
          const key = await begin().catch(() => undefined);
          expect(key === undefined).toBe(finalized);
          if (!key) continue;
          begun.push(key);
          objects.add(key);
        } else if (each.startsWith('complete')) {
          const key = each === 'complete' ? begun.pop() : begun.shift();
          if (!key) continue;
          const done = await complete(key).then(
            () => true,
            () => false,
          );
          if (finalized) expect(done).toBe(false);
          if (done) file = key;
        } else if (each === 'finalize' && file) {
          expect(await documents.finalize(account, id, file)).toBe(!finalized);
          finalized = true;
        } else if (each === 'expire' && (await stored()).strays?.length) {
          await change({ 'strays.$[].due': LATE, files_due: LATE });
        } else if (each === 'sweep') for (const key of await sweep()) objects.delete(key);
        const { document: now, strays = [] } = await stored();
        expect(now.upload?.key).toBe(file);
        const recorded = new Set([file, ...strays.map(({ key }) => key)]);
        expect([...objects].filter((key) => !recorded.has(key))).toEqual([]);
        if (file) expect(objects.has(file)).toBe(true);
      }
    }),
    { numRuns: 25 },
  );
});

test('a document that is not finalized within 24 hours is deleted, by the clock of the database', async () => {
  await upload();
  await change({ created_at: new Date(Date.now() - DAY + 60_000), files_due: LATE });
  await sweep();
  expect((await stored()).deleted_at).toBeNull();
  await change({ created_at: new Date(Date.now() - DAY - 1_000), files_due: LATE });
  const late = await begin();
  await change({ files_due: LATE });
  await sweep();
  expect((await stored()).deleted_at).not.toBeNull();
  await expect(complete(late)).rejects.toMatchObject({ code: 'not_found' });
  await expect(begin()).rejects.toMatchObject({ code: 'not_found' });
});

test('a document that is finalized while it is about to be deleted stays', async () => {
  const key = await upload();
  await change({ created_at: new Date(Date.now() - 2 * DAY) });
  await documents.finalize(account, id, key);
  await documents.expire(account, id);
  expect(await stored()).toMatchObject({ deleted_at: null, files_due: null });
});

test('the purge of a deleted document comes back once its uploads can no longer store anything', async () => {
  await begin();
  await world.corpus.items.delete(account, id, randomId());
  const { items } = world.corpus.collections;
  await items.unlisted.updateOne({ _id: id }, { $unset: { outbox_due: 1 } });
  let purged = 0;
  const purge = createPurge({
    collection: items.unlisted,
    settleMs: itemSettleMs(0),
    log,
    purge: async () => void purged++,
  });
  await purge.start();
  await until(() => purged === 1);
  purge.wake();
  expect(await world.stored(id)).not.toBeNull();
  await change({ 'strays.0.due': LATE });
  purge.wake();
  await until(async () => (await world.stored(id)) === null);
  expect(purged).toBe(2);
  await purge.stop();
});

test('uploads that fail again and again are refused in time', async () => {
  for (let i = 0; i < MAX_STRAYS; i++) await begin();
  await expect(begin()).rejects.toMatchObject({ code: 'resource_exhausted' });
  await change({ 'strays.$[].due': LATE, files_due: LATE });
  expect(await sweep()).toHaveLength(MAX_STRAYS);
  await begin();
});

test("another account's document is refused, and changes nothing", async () => {
  const key = await begin();
  const before = await stored();
  const other = randomId();
  await expect(documents.begin(other, id, randomId())).rejects.toMatchObject({ code: 'permission_denied' });
  await expect(documents.complete(other, id, { key, bytes: 1, sha256: '' })).rejects.toMatchObject({
    code: 'permission_denied',
  });
  expect(await documents.finalize(other, id, key)).toBe(false);
  await forgetStrays(world.corpus.collections, other, id, [key]);
  await documents.expire(other, id);
  expect(await stored()).toEqual(before);
});
