import { checkNode, installMissing, runJest, runTs } from '../embedded/bootstrap.mjs';
import { fetchModel } from '../embedded/model.mjs';
import { fail } from '../embedded/progress.mjs';

checkNode();
await installMissing();
if (process.env.EMBEDDINGS !== 'none') {
  const { dir, missing } = await fetchModel();
  if (missing) fail(`${missing} To test without it, set EMBEDDINGS=none.`);
  process.env.EMBEDDING_MODEL_DIR = dir;
}
const { testStack } = await runTs('../stack/test-stack.ts');
process.exit(await testStack(runJest, process.argv.slice(2)));
