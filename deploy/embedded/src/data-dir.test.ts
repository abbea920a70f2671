import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { makeDataDir, readOrMakeSecret, writePrivate } from './data-dir.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'parley-data-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

test('concurrent starts agree on one secret, which later starts find, and only this user can read', async () => {
  const secrets = await Promise.all(Array.from({ length: 20 }, () => readOrMakeSecret(dir)));
  expect(new Set([...secrets, await readOrMakeSecret(dir)]).size).toBe(1);
  expect(secrets[0]).toMatch(/^[0-9a-f]{64}$/);
  expect((await stat(join(dir, 'secret'))).mode & 0o777).toBe(0o600);
  expect(await readdir(dir)).toEqual(['secret']);
});

test('a private file is replaced atomically, and only this user can read it', async () => {
  const path = join(dir, 'file');
  await writeFile(path, 'old', { mode: 0o644 });
  await writePrivate(path, 'new');
  expect(await readFile(path, 'utf8')).toBe('new');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('a data directory that can’t be created is refused with a message that says what to do', async () => {
  await expect(makeDataDir('/dev/null/parley')).rejects.toThrow(
    "The data directory /dev/null/parley can't be written (ENOTDIR). Set PARLEY_DATA to a directory that can be written.",
  );
});
