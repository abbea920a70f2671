import { readEnv, run } from '@parley/runtime';
import { readConfig } from './config.ts';
import { createConversations } from './create.ts';

await run(() => createConversations(readConfig(readEnv(process.env))));
