export * from './chunk.ts';
export { type Embedder, EmbeddingMisconfigured, EmbeddingUnavailable } from './embedding/embedder.ts';
export {
  createEmbedders,
  type Embedders,
  type EmbeddingConfig,
  type LocalModel,
  readEmbeddingConfig,
} from './embedding-config.ts';
export { joinChunks } from './join-chunks.ts';
export * from './model.ts';
export * from './object-keys.ts';
export { type BuildSize, bytesToLoad, createBuildIndex, type IndexedChunk } from './search/build-index.ts';
export {
  type BuildCache,
  type BuildLease,
  createBuildCache,
  type LoadBuild,
  MemoryExceeded,
  type NeededBuild,
} from './search/cache.ts';
export { uncalibrated } from './search/calibration.ts';
export { FEATURES, type Features, logitOf, type Weights } from './search/evidence.ts';
export { isBetter, joined } from './search/follow-up.ts';
export { type Hit, toHit } from './search/hits.ts';
export { ANY, E5, MINILM, type Prior, WORDS } from './search/priors.ts';
export { type Judged, type QueryVector, type SearchedBuild, searchByWords } from './search/search.ts';
export { corpusEraser } from './store/account-data.ts';
export { createBuildSweeper } from './store/build-sweeper.ts';
export { IncompleteBuild, type NewChunk, type StoredChunk, textHash } from './store/chunks.ts';
export { type Collections, corpusMigrations } from './store/collections.ts';
export { type Corpus, createCorpus } from './store/corpus.ts';
export { newDocument } from './store/documents.ts';
export type { NewFaqItem } from './store/faq-items.ts';
export { createFileSweeper } from './store/file-sweeper.ts';
export { purgeItem } from './store/purge.ts';
export { runsAlone, TRAINING_LEASE_MS, type TrainingJob } from './store/queue.ts';
export { createRetraining } from './store/retraining.ts';
export { itemSettleMs } from './store/strays.ts';
export type { RecordedSource, SourceOutcome } from './store/sub-pages.ts';
export { MAX_ATTEMPTS, MAX_RETRIES, type Published } from './store/training.ts';
export { type Cue, parseTranscript, type Transcript } from './transcript/cues.ts';
export { TranscriptError } from './transcript/transcript-error.ts';
