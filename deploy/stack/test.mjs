import { runJest, runTs } from '../embedded/bootstrap.mjs';
import { prepareToTest } from '../embedded/prepare.mjs';

await prepareToTest();
const { testStack } = await runTs('../stack/test-stack.ts');
process.exit(await testStack(runJest, process.argv.slice(2)));
