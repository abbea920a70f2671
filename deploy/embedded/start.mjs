import { runTs } from './bootstrap.mjs';
import { endWithParent } from './parent.mjs';
import { prepareToRun } from './prepare.mjs';

endWithParent();
await prepareToRun();
await runTs('./src/main.ts');
