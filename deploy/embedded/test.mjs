import { runJest } from './bootstrap.mjs';
import { prepareToTest } from './prepare.mjs';

await prepareToTest();
const args = process.argv.slice(2);
// With a path or a pattern, files run one by one.
const isWhole = args.every((arg) => arg.startsWith('-'));
process.exit(await runJest(args, { ...process.env, TEST_GROUPS: String(isWhole) }));
