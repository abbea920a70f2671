import { checkNode, installMissing, runTs } from '../embedded/bootstrap.mjs';
import { fetchModel } from '../embedded/model.mjs';
import { say } from '../embedded/progress.mjs';

checkNode();
await installMissing();
if (!process.env.EMBEDDINGS && !process.env.OPENAI_BASE_URL && !process.env.OPENAI_API_KEY) {
  const { dir, missing } = await fetchModel();
  if (dir) process.env.EMBEDDING_MODEL_DIR = dir;
  else say(`${missing} Search goes by words alone.`);
}
await runTs('../stack/main.ts');
