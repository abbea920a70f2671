import type { BuildFiles, Corpus, Embedders } from '@parley/corpus';
import type { Log, Metrics } from '@parley/runtime';
import type { Bus } from '@parley/runtime/bus';
import type { TokenBudget } from '@parley/runtime/mongo';
import type { ObjectStore } from '@parley/runtime/objects';
import type { OutboundClients } from '@parley/runtime/outbound';
import type { Readers } from './sandbox/readers.ts';
import type { YouTube } from './sources/youtube/youtube.ts';

/** The dependencies of the trainer; tests and the embedded mode replace some. */
export interface Dependencies {
  log: Log;
  metrics: Metrics;
  bus: Bus;
  objects: ObjectStore;
  embedders: Embedders;
  /** Tokens that accounts spend on embedding. */
  tokens: TokenBudget;
  fetchers: OutboundClients;
  youtube: YouTube;
  readers: Readers;
  corpus: Corpus;
  /** Where a run writes its build, and reads earlier ones. */
  files: BuildFiles;
}
