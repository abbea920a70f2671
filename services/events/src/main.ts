import { readEnv, run } from '@parley/runtime';
import { readConfig } from './config.ts';
import { createEvents } from './create.ts';

await run(() => createEvents(readConfig(readEnv(process.env))));
