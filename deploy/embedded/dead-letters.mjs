import { checkNode, installMissing, runTs } from './bootstrap.mjs';

checkNode();
await installMissing();
await runTs('./src/dead-letters.ts');
