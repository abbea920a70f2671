import { mkdtemp, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createDirectoryStore, type ObjectStore } from '@parley/runtime/objects';
import { buildFileKey } from '../object-keys.ts';
import { BuildDamaged, createBuildFiles, NoRoom, type RemoteBuild } from './build-files.ts';

let root: string;
let dir: string;
let objects: ObjectStore;
let fetched: string[];
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'parley-files-'));
  dir = path.join(root, 'index');
  objects = createDirectoryStore({ dir: path.join(root, 'objects') });
  await objects.start?.(new AbortController().signal);
  fetched = [];
});
afterEach(() => rm(root, { recursive: true }));

const BYTES = 1_000;

/** An uploaded build; `at` tells it apart from others. */
async function build(at: number, account = 'acme'): Promise<RemoteBuild> {
  const id = `item${at}:1`;
  const { sha256, size: bytes } = await objects.put(buildFileKey(account, id), Buffer.alloc(BYTES, at));
  return { account, build: id, sha256, bytes };
}

async function open(maxBytes = 10 * BYTES, get: ObjectStore['get'] = objects.get, dropped = (_: string) => {}) {
  const files = createBuildFiles({
    dir,
    maxBytes,
    dropped,
    objects: {
      get(key) {
        fetched.push(key);
        return get(key);
      },
    },
  });
  await files.start?.(new AbortController().signal);
  return files;
}

test('a build is fetched once, however many ask for it at a time, and again after a restart only if it is damaged', async () => {
  const [one, two] = [await build(1), await build(2)];
  const files = await open();
  const leases = await Promise.all([files.lease([one, two]), files.lease([two, one]), files.lease([one])]);
  expect(fetched).toHaveLength(2);
  for (const lease of leases) lease[Symbol.dispose]();
  const again = await open();
  await writeFile(leases[0]!.paths.get(two.build)!, Buffer.alloc(BYTES, 9));
  await again.lease([one, two]);
  expect(fetched.slice(2)).toEqual([buildFileKey('acme', two.build)]);
});

test('those used longest ago make room, and what is in use does not', async () => {
  const all = [await build(1), await build(2), await build(3)];
  const files = await open(2 * BYTES);
  const held = await files.lease([all[0]!]);
  for (const each of [all[1]!, all[2]!]) (await files.lease([each]))[Symbol.dispose]();
  expect(await readdir(dir)).toHaveLength(2);
  const other = await files.lease([all[1]!]);
  await expect(files.lease([all[2]!])).rejects.toThrow(/INDEX_DISK_MIB.* in use/);
  await expect(files.lease(all)).rejects.toThrow(NoRoom);
  held[Symbol.dispose]();
  other[Symbol.dispose]();
  await files.lease([all[2]!]);
});

test('a missing, shorter or other object is damage, and nothing of it stays', async () => {
  const files = await open();
  const [missing, shorter, other] = [await build(1), await build(2), await build(3)];
  await objects.delete(buildFileKey('acme', missing.build));
  await objects.put(buildFileKey('acme', shorter.build), Buffer.alloc(BYTES - 1, 2));
  await objects.put(buildFileKey('acme', other.build), Buffer.alloc(BYTES, 4));
  for (const each of [missing, shorter, other]) await expect(files.lease([each])).rejects.toThrow(BuildDamaged);
  expect(await readdir(dir)).toEqual([]);
  await objects.put(buildFileKey('acme', other.build), Buffer.alloc(BYTES, 3));
  await files.lease([other]);
});

test('a copy that is changed, cut short or deleted meanwhile is fetched again, and its readers are told before', async () => {
  const told: string[] = [];
  const files = await open(undefined, undefined, (file) => told.push(file));
  const [one, two] = [await build(1), await build(2)];
  const { paths } = await files.lease([one, two]);
  const file = paths.get(one.build)!;
  fetched = [];
  told.length = 0;
  const harms = [() => truncate(file, 10), () => writeFile(file, Buffer.alloc(BYTES, 9)), () => rm(file)];
  for (const harm of harms) {
    await harm();
    await Promise.all([files.lease([one, two]), files.lease([one])]);
    expect(await readFile(file)).toEqual(Buffer.alloc(BYTES, 1));
  }
  expect(fetched).toEqual(harms.map(() => buildFileKey('acme', one.build)));
  // One that is as it was need not be fetched again, though its readers can't know.
  files.doubt(file);
  await files.lease([one]);
  expect(fetched).toHaveLength(3);
  expect(told).toEqual([file, file, file, file]);
});

/** A disk that is full as long as `isFull` says so. */
const filling =
  (isFull: () => boolean): ObjectStore['get'] =>
  async (key) => {
    const found = await objects.get(key);
    if (!found || !isFull()) return found;
    found.body.destroy();
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    return { ...found, body: new Readable({ read: (_size) => {}, construct: (done) => done(full) }) };
  };

test('on a full disk what is not in use makes room; if that does not help, the reason is a sentence', async () => {
  const [one, two] = [await build(1), await build(2)];
  const files = await open(
    10 * BYTES,
    filling(() => fetched.length > 1),
  );
  (await files.lease([one]))[Symbol.dispose]();
  await expect(files.lease([two])).rejects.toThrow(/is full/);
  expect(await readdir(dir)).toEqual([]);
  const healed = await open(
    10 * BYTES,
    filling(() => fetched.length === 4),
  );
  await healed.lease([one]);
});

test('what a process that died was writing is removed at the next start, and what another one writes is not', async () => {
  const files = await open();
  const alive = await files.temporary();
  await writeFile(alive, 'x');
  await writeFile(path.join(dir, '4194303-dead.part'), 'x'); // above the largest process id
  const ours = path.join(dir, `${process.pid}-before.part`);
  await writeFile(ours, 'x');
  await utimes(ours, 0, 0);
  await open();
  expect(await readdir(dir)).toEqual([path.basename(alive)]);
});

test('a file that was just uploaded need not be fetched, and those of an account are forgotten', async () => {
  const files = await open();
  const one = await build(1);
  const written = await files.temporary();
  await writeFile(written, Buffer.alloc(BYTES, 1));
  await files.adopt(one, written);
  (await files.lease([one, await build(2, 'rival')]))[Symbol.dispose]();
  expect(fetched).toEqual([buildFileKey('rival', 'item2:1')]);
  await files.forget('acme');
  expect(await readdir(dir)).toEqual([expect.stringMatching(/^rival\./)]);
});

test('a folder that is deleted meanwhile, even during a fetch, is made again', async () => {
  const files = await open(undefined, async (key) => {
    if (fetched.length === 1) await rm(dir, { recursive: true });
    return objects.get(key);
  });
  await rm(dir, { recursive: true });
  const { paths } = await files.lease([await build(1)]);
  expect([...paths.values()]).toEqual([expect.stringContaining(dir)]);
});
