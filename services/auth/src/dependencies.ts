import type { Metrics } from '@parley/runtime';
import type { KeyMint } from './domain/api-key.ts';
import type { Stores } from './store/stores.ts';

/** The dependencies of the auth service; tests and the embedded mode replace some. */
export interface Dependencies extends Stores {
  metrics: Metrics;
  mint: KeyMint;
}
