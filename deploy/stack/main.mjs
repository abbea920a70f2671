import { runTs } from '../embedded/bootstrap.mjs';
import { endWithParent } from '../embedded/parent.mjs';
import { prepareToRun } from '../embedded/prepare.mjs';

endWithParent();
await prepareToRun();
await runTs('../stack/main.ts');
