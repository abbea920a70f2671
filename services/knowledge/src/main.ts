import { readEnv, run } from '@parley/runtime';
import { readConfig } from './config.ts';
import { createKnowledge } from './create.ts';

await run(() => createKnowledge(readConfig(readEnv(process.env))));
