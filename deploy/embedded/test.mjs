import { checkNode, installMissing, runJest } from './bootstrap.mjs';
import { fetchModel } from './model.mjs';
import { fail } from './progress.mjs';

checkNode();
await installMissing();
if (process.env.EMBEDDINGS !== 'none') {
  const { dir, missing } = await fetchModel();
  if (missing) fail(`${missing} To test without it, set EMBEDDINGS=none.`);
  process.env.EMBEDDING_MODEL_DIR = dir;
}
process.exit(await runJest(process.argv.slice(2)));
