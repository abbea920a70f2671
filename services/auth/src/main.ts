import { readEnv, run } from '@parley/runtime';
import { readConfig } from './config.ts';
import { createAuth } from './create.ts';

await run(() => createAuth(readConfig(readEnv(process.env))));
