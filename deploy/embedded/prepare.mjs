import { prepareNode } from './bootstrap.mjs';
import { fetchModel, fetchMultilingualModel } from './model.mjs';
import { fail, say } from './progress.mjs';

/** Installs what Parley needs to run: its packages and, for local embeddings, the model if it can be fetched. */
export async function prepareToRun() {
  await prepareNode();
  const { EMBEDDINGS, OPENAI_BASE_URL, OPENAI_API_KEY } = process.env;
  const served = OPENAI_BASE_URL || OPENAI_API_KEY;
  if ((EMBEDDINGS || (served ? 'openai' : 'local')) !== 'local') return;
  const { dir, missing } = await fetchModel();
  if (dir) process.env.EMBEDDING_MODEL_DIR = dir;
  else say(`${missing} Search compares words only.`);
  await prepareMultilingual();
}

/** Fetched only if it is asked for: it is four times as large. Without it, all is as if it had not been asked for. */
async function prepareMultilingual() {
  if (!['multilingual', 'auto'].includes(process.env.EMBEDDING_LOCAL_MODEL)) return;
  const { dir, missing } = await fetchMultilingualModel();
  if (dir) process.env.EMBEDDING_MULTILINGUAL_DIR = dir;
  else {
    say(`${missing} The English model is used for all languages.`);
    process.env.EMBEDDING_LOCAL_MODEL = 'english';
  }
}

/** The same for tests, which fail if the model can't be fetched. */
export async function prepareToTest() {
  await prepareNode();
  if (process.env.EMBEDDINGS === 'none') return;
  const { dir, missing } = await fetchModel();
  if (missing) fail(`${missing} To test without it, set EMBEDDINGS=none.`);
  process.env.EMBEDDING_MODEL_DIR = dir;
}
