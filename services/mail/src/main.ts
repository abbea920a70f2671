import { readEnv, run } from '@parley/runtime';
import { readConfig } from './config.ts';
import { createMail } from './create.ts';

await run(() => createMail(readConfig(readEnv(process.env))));
