import { type Env, readServiceConfig, type ServiceConfig } from '@parley/runtime';

export type ConversationsConfig = ServiceConfig;

export const readConfig = (env: Env): ConversationsConfig => readServiceConfig(env, 'conversations');
