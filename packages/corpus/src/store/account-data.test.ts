import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLog, randomId } from '@parley/runtime';
import { LeaseLost } from '@parley/runtime/mongo';
import { createDirectoryStore, type ObjectStore } from '@parley/runtime/objects';
import { unerased } from '@parley/runtime/testing';
import { accountPrefix, buildPrefix } from '../object-keys.ts';
import { all, corpusWorld, published } from '../testing.ts';
import { corpusEraser } from './account-data.ts';
import { embeddingTokens } from './embedding-tokens.ts';
import type { TrainingJob } from './queue.ts';

let world: Awaited<ReturnType<typeof corpusWorld>>;
let objects: ObjectStore;
let dir: string;
beforeAll(async () => {
  world = await corpusWorld();
  dir = await mkdtemp(path.join(tmpdir(), 'parley-erased-'));
  objects = createDirectoryStore({ dir });
  await objects.start?.(new AbortController().signal);
});
afterAll(async () => {
  await rm(dir, { recursive: true });
  await world.close();
});

const eraser = () => corpusEraser(world.db, objects);

/** An account with a training that is running, and a file of it. */
async function scene() {
  const account = randomId();
  const { _id } = await world.website(account);
  const job = await world.begin(account, _id);
  await world.corpus.builds.open(job, 'm');
  await world.corpus.subPages.record(job, '/', { failed_with: 'No.' });
  await store(job);
  await embeddingTokens(world.db, 1_000, createLog('test', 'silent')).reserve(account, 1);
  return { account, job };
}

const store = ({ account, item, fence }: TrainingJob) =>
  objects.put(`${buildPrefix(account, item, fence)}page.html`, Buffer.from('<p>'));

async function left(account: string): Promise<string[]> {
  const found: string[] = [];
  for (const collection of await world.db.collections())
    if (await collection.findOne({ account })) found.push(collection.collectionName);
  if ((await all(objects.list(accountPrefix(account)))).length > 0) found.push('objects');
  return found.sort();
}

/** Where there is something of an account. */
const WHOLE = ['builds', 'embedding_tokens', 'knowledge_items', 'list_versions', 'objects', 'quotas', 'sub_pages'];

async function erase(account: string): Promise<number> {
  let calls = 0;
  for (let done = false; !done; calls++) ({ done } = await eraser().erase(account));
  return calls;
}

test('every collection of the corpus is erased, and has an index by account', async () => {
  expect(await unerased(world.db, eraser())).toEqual([]);
});

test('documents and files of one account are erased, and no others', async () => {
  const [acme, rival] = [await scene(), await scene()];
  expect(await left(acme.account)).toEqual(WHOLE);
  expect(await eraser().erase(acme.account)).toEqual({ deleted: 8, done: true });
  expect(await eraser().erase(acme.account)).toEqual({ deleted: 0, done: true });
  expect(await left(acme.account)).toEqual([]);
  expect(await left(rival.account)).toEqual(WHOLE);
});

test('a call deletes a bounded number of documents, and the next one goes on', async () => {
  const { account, job } = await scene();
  const many = Array.from({ length: 2_500 }, (_, i) => [i, { failed_with: 'No.' }] as const);
  await world.corpus.subPages.recordAll(job, many);
  expect(await eraser().erase(account)).toEqual({ deleted: 1_000, done: false });
  expect(await erase(account)).toBe(2);
  expect(await left(account)).toEqual([]);
});

test('a trainer that is still writing undoes its writes and stops', async () => {
  const { account, job } = await scene();
  const { corpus } = world;
  await erase(account);
  expect(await corpus.training.renew(job)).toBe(false);
  await expect(corpus.builds.setFile(job, { sha256: '', bytes: 0 })).rejects.toThrow(LeaseLost);
  await expect(corpus.subPages.record(job, '/', { failed_with: 'No.' })).rejects.toThrow(LeaseLost);
  await expect(corpus.builds.open(job, 'm')).rejects.toThrow(LeaseLost);
  expect(await corpus.training.publish(job, published('m'))).toBe(false);
  await store(job);
  await corpus.builds.discard(job, objects);
  // What it has counted, the sweeper erases.
  expect(await left(account)).toEqual(['quotas']);
  await erase(account);
  expect(await left(account)).toEqual([]);
  expect(await corpus.training.claim()).toBeUndefined();
});

test.each(['', '../', 'a/b', '*', randomId().toUpperCase()])('%j is no account, and nothing is marked', async (id) => {
  await expect(eraser().markDeleted(id)).rejects.toMatchObject({ code: 'invalid_argument' });
  expect(await eraser().isDeleted(id)).toBe(false);
});
