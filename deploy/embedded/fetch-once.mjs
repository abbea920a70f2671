/** Folders of files with known hashes, fetched once into a cache outside the repository. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { during } from './progress.mjs';

/** The folder, or undefined unless all of it is in the cache. `files` are `{ name, bytes, sha256, mode? }`. */
async function findFetched({ folder, files }) {
  const directory = directoryOf(folder);
  const sizes = await Promise.all(files.map(({ name }) => sizeOf(join(directory, name))));
  return files.every(({ bytes }, i) => bytes === sizes[i]) ? directory : undefined;
}

/**
 * Finds the folder, or calls `fetchContents` for the contents of its files, in order, while showing `label`. Rejects if that
 * fails or a hash differs.
 */
export async function fetchOnce({ folder, files, label }, fetchContents) {
  const found = await findFetched({ folder, files });
  if (found) return found;
  await during(label, async () => store({ folder, files }, await fetchContents()));
  return directoryOf(folder);
}

function directoryOf(folder) {
  const { PARLEY_CACHE, XDG_CACHE_HOME } = process.env;
  return join(PARLEY_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'parley'), folder);
}

async function sizeOf(path) {
  return (await stat(path).catch(() => undefined))?.size;
}

/** Creates the complete directory in one step, replacing a damaged one. */
async function store({ folder, files }, contents) {
  for (const [i, { name, sha256 }] of files.entries())
    if (createHash('sha256').update(contents[i]).digest('hex') !== sha256)
      throw new Error(`${name} has a different hash`);
  const directory = directoryOf(folder);
  await mkdir(join(directory, '..'), { recursive: true });
  const unfinished = await mkdtemp(`${directory}-`);
  for (const [i, { name, mode }] of files.entries())
    await writeFile(join(unfinished, name), contents[i], { mode, flush: true });
  if (await findFetched({ folder, files })) return rm(unfinished, { recursive: true });
  await rm(directory, { recursive: true, force: true });
  await rename(unfinished, directory);
}
