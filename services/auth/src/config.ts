import { type Env, readServiceConfig, type ServiceConfig } from '@parley/runtime';

export type AuthConfig = ServiceConfig;

export const readConfig = (env: Env): AuthConfig => readServiceConfig(env, 'auth');
