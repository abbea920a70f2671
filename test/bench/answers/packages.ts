import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

/** A Debian package of documentation, at one version. */
export interface DebianPackage {
  /** Below `/debian/` of a mirror. */
  path: string;
  sha256: string;
}

/** The second keeps every version for good. */
const MIRRORS = ['http://deb.debian.org/debian/', 'https://snapshot.debian.org/archive/debian/20251120T000000Z/'];
const DOWNLOAD_WITHIN_MS = 120_000;

/**
 * The directory with the package's files, as they would lie under `/`. Downloaded and unpacked once, into the cache that
 * `npm start` uses, too. @throws Error that says what is missing.
 */
export async function unpacked(debian: DebianPackage): Promise<string> {
  const name = basename(debian.path, '.deb');
  const cache = join(cacheDir(), 'debian');
  const directory = join(cache, `${name}-${debian.sha256.slice(0, 12)}`);
  if (await exists(directory)) return directory;
  await mkdir(cache, { recursive: true });
  const unfinished = await mkdtemp(`${directory}.`);
  try {
    const archive = join(unfinished, `${name}.deb`);
    await writeFile(archive, await download(debian));
    await unpack(archive, join(unfinished, 'files'));
    // Another process may have been faster; its files are the same.
    await rename(join(unfinished, 'files'), directory).catch(async (error) => {
      if (!(await exists(directory))) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true });
  }
  return directory;
}

async function download({ path, sha256 }: DebianPackage): Promise<Buffer> {
  const failures: string[] = [];
  for (const mirror of MIRRORS) {
    const url = `${mirror}${path}`;
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_WITHIN_MS) });
      if (!response.ok) throw new Error(`status ${response.status}`);
      const body = Buffer.from(await response.arrayBuffer());
      if (createHash('sha256').update(body).digest('hex') !== sha256) throw new Error('a different hash');
      return body;
    } catch (error) {
      failures.push(`${url}: ${(error as Error).message}`);
    }
  }
  throw new Error(`A Debian package could not be downloaded.\n${failures.join('\n')}`);
}

async function unpack(archive: string, directory: string) {
  try {
    await promisify(execFile)('dpkg-deb', ['-x', archive, directory]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new Error(
        'Debian packages are unpacked with dpkg-deb, which is not installed here (on macOS: brew install dpkg).',
      );
    throw error;
  }
}

function cacheDir(): string {
  const { PARLEY_CACHE, XDG_CACHE_HOME } = process.env;
  return PARLEY_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'parley');
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
