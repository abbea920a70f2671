import type { Corpus, Embedders } from '@parley/corpus';
import type { Log, Metrics } from '@parley/runtime';
import type { Bus } from '@parley/runtime/bus';
import type { ObjectStore } from '@parley/runtime/objects';
import type { Fetcher } from './http/fetcher.ts';
import type { Readers } from './reading/readers.ts';
import type { YouTube } from './videos/youtube.ts';

/** The dependencies of the trainer; tests and the embedded mode replace some. */
export interface Parts {
  log: Log;
  metrics: Metrics;
  bus: Bus;
  objects: ObjectStore;
  embedders: Embedders;
  fetcher: Fetcher;
  youtube: YouTube;
  readers: Readers;
  corpus: Corpus;
}
