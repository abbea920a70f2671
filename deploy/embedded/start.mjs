import { runTs } from './bootstrap.mjs';
import { prepareToRun } from './prepare.mjs';

await prepareToRun();
await runTs('./src/main.ts');
