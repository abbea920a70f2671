import { type Env, readServiceConfig, type ServiceConfig } from '@parley/runtime';

export interface EventsConfig extends ServiceConfig {
  /** The most events of an account that are kept. */
  kept: number;
}

export const readConfig = (env: Env): EventsConfig => ({
  ...readServiceConfig(env, 'events'),
  kept: env.get('EVENTS_KEPT'),
});
