import { readEnv, run } from '@parley/runtime';
import { readConfig } from './config.ts';
import { createAssistants } from './create.ts';

await run(() => createAssistants(readConfig(readEnv(process.env))));
