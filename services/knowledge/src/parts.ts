import type { BuildCache, Corpus, Embedders } from '@parley/corpus';
import type { Metrics } from '@parley/runtime';
import type { Bus } from '@parley/runtime/bus';
import type { AccountEraser } from '@parley/runtime/mongo';
import type { ObjectStore } from '@parley/runtime/objects';
import type { AllowList } from '@parley/runtime/outbound';

/** The dependencies of the knowledge service; tests and the embedded mode replace some. */
export interface Parts {
  metrics: Metrics;
  bus: Bus;
  objects: ObjectStore;
  embedders: Embedders;
  corpus: Corpus;
  cache: BuildCache;
  eraser: AccountEraser;
  crawlAllow: AllowList;
}
