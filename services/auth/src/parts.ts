import type { Metrics } from '@parley/runtime';
import type { KeyMint } from './domain/api-key.ts';
import type { AuthStore } from './store/auth-store.ts';

/** What the auth service is made of; tests and the embedded mode put their own in its place. */
export interface Parts {
  metrics: Metrics;
  store: AuthStore;
  mint: KeyMint;
}
