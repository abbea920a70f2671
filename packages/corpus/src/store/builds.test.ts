import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLog, randomId } from '@parley/runtime';
import { LeaseLost } from '@parley/runtime/mongo';
import { createDirectoryStore, type ObjectStore } from '@parley/runtime/objects';
import { until } from '@parley/runtime/testing';
import { buildFileKey, buildPrefix } from '../object-keys.ts';
import { all, chunk, corpusWorld, published, uploadBuild } from '../testing.ts';
import { createBuildSweeper } from './build-sweeper.ts';
import { purgeItem } from './purge.ts';
import type { TrainingJob } from './queue.ts';

let world: Awaited<ReturnType<typeof corpusWorld>>;
let objects: ObjectStore;
let dir: string;
const never = new AbortController().signal;
beforeAll(async () => {
  world = await corpusWorld();
  dir = await mkdtemp(path.join(tmpdir(), 'parley-builds-'));
  objects = createDirectoryStore({ dir });
  await objects.start?.(never);
});
afterAll(async () => {
  await rm(dir, { recursive: true });
  await world.close();
});

const content = { hash: 'h', title: 'T', links: [], raw_key: 'r', text_key: 't', extraction: 1 };

/** Writes a page, an object and the build's file, as a run does. */
async function write(job: TrainingJob) {
  const { builds, subPages } = world.corpus;
  await builds.open(job, 'm');
  await objects.put(`${buildPrefix(job.account, job.item, job.fence)}page.html`, Buffer.from('<p>'));
  const build = await uploadBuild(objects, job, [chunk(0, 'a', [1, 0]), chunk(1, 'b', [0, 1])], 'm');
  await builds.setFile(job, build.file);
  await subPages.record(job, '/', { content, bytes: 3, chunks: 2 });
  return build;
}

async function trained(account: string, item: string) {
  const job = await world.begin(account, item);
  await world.corpus.training.publish(job, await write(job));
  return job;
}

async function left(filter: object) {
  const { subPages, builds, faqItems } = world.corpus.collections;
  const counts = await Promise.all([subPages, builds, faqItems].map((c) => c.countDocuments(filter)));
  return counts;
}

const objectsOf = async (folder: string) => (await all(objects.list(folder))).length;

/** Runs the sweeper until nothing is due. */
async function sweep() {
  const { items, builds } = world.corpus.collections;
  const sweeper = createBuildSweeper({
    collections: world.corpus.collections,
    objects,
    log: createLog('test', 'silent'),
    restOfBuildMs: 0,
  });
  await sweeper.start();
  const due = async () =>
    (await items.countDocuments({ builds_due: { $exists: true } })) +
    (await builds.countDocuments({ retired_at: { $type: 'date' } }));
  await until(
    () => {
      sweeper.wake();
      return due();
    },
    (count) => count === 0,
  );
  await sweeper.stop?.();
}

test('when a new build is live, the old one goes with its pages and objects, and the new one stays whole', async () => {
  const account = randomId();
  const { _id } = await world.website(account);
  const old = await trained(account, _id);
  const live = await trained(account, _id);
  await sweep();
  expect(await left({ build: old.build })).toEqual([0, 0, 0]);
  expect(await objectsOf(buildPrefix(account, _id, old.fence))).toBe(0);
  expect(await left({ item: _id })).toEqual([1, 1, 0]);
  expect(await objectsOf(buildPrefix(account, _id, live.fence))).toBe(2);
});

test('the pages of a failed run stay readable until the next run, and the live build keeps answering', async () => {
  const account = randomId();
  const { _id } = await world.website(account);
  const live = await trained(account, _id);
  const failed = await world.begin(account, _id);
  await write(failed);
  await world.corpus.training.fail(failed, 'No.');
  await sweep();
  expect(await left({ build: live.build })).toEqual([1, 0, 0]);
  expect((await world.corpus.subPages.page(account, _id, { limit: 0, nextCursor: '' })).items).toMatchObject([
    { build: failed.build, page_url: '/' },
  ]);
});

test('what a dead worker wrote is available to its successor, and removed afterwards', async () => {
  const account = randomId();
  const { _id } = await world.website(account);
  const dead = await world.begin(account, _id);
  await write(dead);
  await world.expire(_id);
  const successor = (await world.corpus.training.claim())!;
  await sweep();
  const { builds, subPages, training } = world.corpus;
  await builds.open(successor, 'm');
  const [earlier] = await builds.earlier(successor);
  expect(earlier).toMatchObject({ _id: dead.build, model: 'm', file: { bytes: expect.any(Number) } });
  expect(await objects.stat(buildFileKey(account, dead.build))).toMatchObject({ size: earlier!.file!.bytes });
  expect((await subPages.recorded(account, [dead.build], '/'))[0]).toMatchObject({ content });
  await training.publish(successor, published('m'));
  await sweep();
  expect(await left({ build: dead.build })).toEqual([0, 0, 0]);
});

test('a worker that wakes up after its build was deleted leaves nothing behind', async () => {
  const account = randomId();
  const { _id } = await world.website(account);
  const asleep = await world.begin(account, _id);
  await write(asleep);
  await world.expire(_id);
  const next = (await world.corpus.training.claim())!;
  await world.corpus.training.publish(next, await write(next));
  await sweep();
  const { subPages, builds } = world.corpus;
  await expect(builds.setFile(asleep, { sha256: '', bytes: 0 })).rejects.toBeInstanceOf(LeaseLost);
  await expect(subPages.record(asleep, '/late', { failed_with: 'No.' })).rejects.toBeInstanceOf(LeaseLost);
  await expect(builds.open(asleep, 'm')).rejects.toBeInstanceOf(LeaseLost);
  await objects.put(`${buildPrefix(account, _id, asleep.fence)}late.html`, Buffer.from('<p>'));
  await builds.discard(asleep, objects);
  expect(await left({ build: asleep.build })).toEqual([0, 0, 0]);
  expect(await objectsOf(buildPrefix(account, _id, asleep.fence))).toBe(0);
  expect(await left({ build: next.build })).toEqual([1, 0, 0]);
});

test('a delete during a training leaves nothing: its worker can neither publish nor write any more', async () => {
  const account = randomId();
  const { _id } = await world.website(account);
  await trained(account, _id);
  const running = await world.begin(account, _id);
  await write(running);
  const { corpus } = world;
  const deleted = await corpus.items.delete(account, _id, randomId());
  expect(await corpus.training.renew(running)).toBe(false);
  expect(await corpus.training.publish(running, published('m'))).toBe(false);
  await purgeItem(corpus, objects, deleted);
  await expect(corpus.builds.setFile(running, { sha256: '', bytes: 0 })).rejects.toBeInstanceOf(LeaseLost);
  expect(await left({ item: _id })).toEqual([0, 0, 0]);
  expect((await readdir(path.join(dir, 'accounts'))).includes(account)).toBe(false);
  expect(await corpus.training.claim()).toBeUndefined();
});

test('the record of a build is removed again if its item was deleted', async () => {
  const account = randomId();
  const { _id } = await world.website(account);
  const job = await world.begin(account, _id);
  await world.corpus.items.delete(account, _id, randomId());
  await expect(world.corpus.builds.open(job, null)).rejects.toBeInstanceOf(LeaseLost);
  expect(await left({ item: _id })).toEqual([0, 0, 0]);
});
