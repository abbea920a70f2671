import { runJest } from './bootstrap.mjs';
import { prepareToTest } from './prepare.mjs';

await prepareToTest();
process.exit(await runJest(process.argv.slice(2)));
