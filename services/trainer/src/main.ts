import { readEnv, run } from '@parley/runtime';
import { readConfig } from './config.ts';
import { createTrainer } from './create.ts';

await run(() => createTrainer(readConfig(readEnv(process.env))));
