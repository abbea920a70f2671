import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { objectsContract } from './testing/contract.ts';
import { openStore } from './testing/open-directory.ts';

const newDir = () => mkdtemp(path.join(tmpdir(), 'parley-objects-'));

objectsContract('objects in a directory', async () => {
  const dir = await newDir();
  const store = await openStore(dir);
  return {
    store,
    opener: { module: new URL('./testing/open-directory.ts', import.meta.url).href, argument: dir },
    close: () => rm(dir, { recursive: true }),
  };
});

test('a start removes what puts left behind that died more than an hour ago, and nothing younger', async () => {
  const dir = await newDir();
  await openStore(dir);
  const leftover = (name: string) => path.join(dir, '.unfinished', name);
  await writeFile(leftover('old'), 'half');
  await writeFile(leftover('young'), 'half');
  const longAgo = new Date(Date.now() - 61 * 60_000);
  await utimes(leftover('old'), longAgo, longAgo);
  await openStore(dir);
  expect(await readdir(path.join(dir, '.unfinished'))).toEqual(['young']);
  await rm(dir, { recursive: true });
});

test('neither failed puts nor deleted folders leave files behind', async () => {
  const dir = await newDir();
  const store = await openStore(dir);
  await expect(store.put('a/b.txt', Buffer.alloc(10), { maxBytes: 9 })).rejects.toThrow();
  await store.put('a/b/c/d.txt', Buffer.from('x'));
  await store.deletePrefix('a/');
  expect(await readdir(dir, { recursive: true })).toEqual(['.unfinished']);
  await rm(dir, { recursive: true });
});

test('a store whose directory was removed is not ready', async () => {
  const dir = await newDir();
  const store = await openStore(dir);
  await store.ready();
  await rm(dir, { recursive: true });
  await expect(store.ready()).rejects.toThrow('unavailable');
});

test('only their owner can read objects', async () => {
  const dir = await newDir();
  const store = await openStore(dir);
  await store.put('a.txt', Buffer.from('x'));
  expect((await stat(path.join(dir, 'a.txt'))).mode & 0o077).toBe(0);
  await rm(dir, { recursive: true });
});
