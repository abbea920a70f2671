import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { during } from '../embedded/progress.mjs';

export interface GoProgram {
  /** Its name in errors. */
  name: string;
  /** The address of its main package; the last part names the binary. */
  package: string;
  version: string;
}

const BUILD_WITHIN_MS = 30 * 60_000;

/**
 * The path of a Go program in the cache; `go install` builds it there first if necessary. A build uses both cores for
 * minutes, so it runs at a low priority.
 *
 * @throws Error that says why it is not available: no Go, or a failed build.
 */
export async function goBinary(cacheDir: string, program: GoProgram): Promise<string> {
  const file = basename(program.package);
  const binary = join(cacheDir, `${file}-${program.version}`);
  if (await isProgram(binary)) return binary;
  await mkdir(cacheDir, { recursive: true });
  const work = await mkdtemp(`${binary}-build-`);
  try {
    await during(`Building ${program.name} (once) …`, () => build(work, program));
    await rename(join(work, file), binary); // Atomic: a binary in the cache is always complete.
    return binary;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function build(work: string, { name, package: address, version }: GoProgram) {
  const args = ['-n', '10', 'go', 'install', '-trimpath', '-ldflags=-s -w', `${address}@${version}`];
  // Go refuses `GOBIN` when cross-compiling, so hide such settings of a caller that builds images.
  const env = { ...process.env, GOBIN: work, GOOS: '', GOARCH: '', GOFLAGS: '-buildvcs=false', CGO_ENABLED: '0' };
  await promisify(execFile)('nice', args, { env, timeout: BUILD_WITHIN_MS }).catch((error) => {
    const reason = error.code === 127 ? 'Go is not installed.' : `${error.stderr}`.trim().slice(-2_000);
    throw new Error(`${name} is not in the cache and could not be built: ${reason || error.message}`);
  });
}

const isProgram = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
