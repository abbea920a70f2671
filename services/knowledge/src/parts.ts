import type { BuildCache, Corpus, Embedders } from '@parley/corpus';
import type { AllowList } from '@parley/corpus/guard';
import type { Bus, Metrics, ObjectStore } from '@parley/runtime';

/** What the knowledge service is made of; tests and the embedded mode put their own in its place. */
export interface Parts {
  metrics: Metrics;
  bus: Bus;
  objects: ObjectStore;
  embedders: Embedders;
  corpus: Corpus;
  cache: BuildCache;
  crawlAllow: AllowList;
}
