import type { BuildFiles, Corpus, Embedders, SearchPool } from '@parley/corpus';
import type { Metrics } from '@parley/runtime';
import type { Bus } from '@parley/runtime/bus';
import type { AccountEraser, TokenBudget } from '@parley/runtime/mongo';
import type { ObjectStore } from '@parley/runtime/objects';
import type { AllowList } from '@parley/runtime/outbound';
import type { FetchAhead } from './fetch-ahead.ts';
import type { TranscriptReader } from './sandbox/transcript-reader.ts';

/** The dependencies of the knowledge service; tests and the embedded mode replace some. */
export interface Dependencies {
  metrics: Metrics;
  bus: Bus;
  objects: ObjectStore;
  embedders: Embedders;
  /** Tokens that accounts spend on embedding. */
  tokens: TokenBudget;
  corpus: Corpus;
  files: BuildFiles;
  pool: SearchPool;
  ahead: FetchAhead;
  eraser: AccountEraser;
  crawlAllow: AllowList;
  transcripts: TranscriptReader;
}
