import { readEnv, run } from '@parley/runtime';
import { readConfig } from './config.ts';
import { createGateway } from './create.ts';

await run(() => createGateway(readConfig(readEnv(process.env))));
