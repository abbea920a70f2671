import { type Env, readServiceConfig, type ServiceConfig } from '@parley/runtime';
import { type AllowList, readAllowList } from '@parley/runtime/outbound';

export interface EventsConfig extends ServiceConfig {
  /** The most events of an account that are kept. */
  kept: number;
  webhooks: WebhooksConfig;
}

export interface WebhooksConfig {
  /** The most that an account may have. */
  most: number;
  /** Private addresses that may be posted to. */
  allow: AllowList;
  /** Time for a request. */
  timeoutMs: number;
  /** Requests to one endpoint at a time, and endpoints. */
  concurrency: number;
  endpoints: number;
}

export const readConfig = (env: Env): EventsConfig => ({
  ...readServiceConfig(env, 'events'),
  kept: env.get('EVENTS_KEPT'),
  webhooks: {
    most: env.get('QUOTA_WEBHOOKS'),
    allow: readAllowList(env, 'OUTBOUND_ALLOW'),
    timeoutMs: env.get('WEBHOOK_TIMEOUT_SECONDS') * 1_000,
    concurrency: env.get('WEBHOOK_CONCURRENCY'),
    endpoints: env.get('WEBHOOK_ENDPOINTS'),
  },
});
