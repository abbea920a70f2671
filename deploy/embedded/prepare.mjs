import { checkNode, installMissing } from './bootstrap.mjs';
import { fetchModel } from './model.mjs';
import { fail, say } from './progress.mjs';

/** What Parley needs before it can run here: its packages and, where it embeds by itself, the embedding model, if that can be had. */
export async function prepareToRun() {
  checkNode();
  await installMissing();
  const { EMBEDDINGS, OPENAI_BASE_URL, OPENAI_API_KEY } = process.env;
  const served = OPENAI_BASE_URL || OPENAI_API_KEY;
  if ((EMBEDDINGS || (served ? 'openai' : 'local')) !== 'local') return;
  const { dir, missing } = await fetchModel();
  if (dir) process.env.EMBEDDING_MODEL_DIR = dir;
  else say(`${missing} Search goes by words alone.`);
}

/** What tests need: the same, but a model that can't be had fails them. */
export async function prepareToTest() {
  checkNode();
  await installMissing();
  if (process.env.EMBEDDINGS === 'none') return;
  const { dir, missing } = await fetchModel();
  if (missing) fail(`${missing} To test without it, set EMBEDDINGS=none.`);
  process.env.EMBEDDING_MODEL_DIR = dir;
}
