import type { Corpus, Embedders } from '@parley/corpus';
import type { Bus, Log, Metrics, ObjectStore } from '@parley/runtime';
import type { Fetcher } from './http/fetcher.ts';
import type { Extractor } from './website/extractor.ts';

/** What the trainer process is made of; tests and the embedded mode put their own in its place. */
export interface Parts {
  log: Log;
  metrics: Metrics;
  bus: Bus;
  objects: ObjectStore;
  embedders: Embedders;
  fetcher: Fetcher;
  extractor: Extractor;
  corpus: Corpus;
}
