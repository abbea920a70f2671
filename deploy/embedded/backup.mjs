import { prepareNode, runTs } from './bootstrap.mjs';

await prepareNode();
await runTs('./src/backup.ts');
