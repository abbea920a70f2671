import { checkNode, installMissing, runTs } from './bootstrap.mjs';
import { fetchModel } from './model.mjs';
import { say } from './progress.mjs';

checkNode();
await installMissing();
const { EMBEDDINGS, OPENAI_BASE_URL, OPENAI_API_KEY } = process.env;
const served = OPENAI_BASE_URL || OPENAI_API_KEY;
if ((EMBEDDINGS || (served ? 'openai' : 'local')) === 'local') {
  const { dir, missing } = await fetchModel();
  if (dir) process.env.EMBEDDING_MODEL_DIR = dir;
  else say(`${missing} Search goes by words alone.`);
}
await runTs('./src/main.ts');
