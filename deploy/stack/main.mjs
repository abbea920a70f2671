import { runTs } from '../embedded/bootstrap.mjs';
import { prepareToRun } from '../embedded/prepare.mjs';

await prepareToRun();
await runTs('../stack/main.ts');
