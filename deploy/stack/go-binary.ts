import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

export interface GoProgram {
  /** What an error calls it. */
  name: string;
  /** The address of its main package; the last part names the binary. */
  package: string;
  version: string;
}

const BUILD_WITHIN_MS = 30 * 60_000;

/**
 * The path of a program written in Go: in the cache, or built into it by `go install`. A build takes minutes of both
 * cores, so it runs at a low priority.
 *
 * @throws Error that says why it can't be had: no Go, a build that failed.
 */
export async function goBinary(cacheDir: string, program: GoProgram): Promise<string> {
  const file = basename(program.package);
  const binary = join(cacheDir, `${file}-${program.version}`);
  if (await isProgram(binary)) return binary;
  await mkdir(cacheDir, { recursive: true });
  const work = await mkdtemp(`${binary}-build-`);
  try {
    await build(work, program);
    await rename(join(work, file), binary); // At once: what is there is complete.
    return binary;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function build(work: string, { name, package: address, version }: GoProgram) {
  const args = ['-n', '10', 'go', 'install', '-trimpath', '-ldflags=-s -w', `${address}@${version}`];
  // `GOBIN` is refused for another system than this one, so those of a caller who builds images must not be seen.
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
