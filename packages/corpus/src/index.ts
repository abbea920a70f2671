export { BuildDamaged, type BuildFiles, createBuildFiles, NoRoom, type RemoteBuild } from './build/build-files.ts';
export { type FormerBuild, openFormerBuild } from './build/former-build.ts';
export { type IndexConfig, readIndexConfig } from './build/index-config.ts';
export { type OpenBuild, openBuild } from './build/open-build.ts';
export { type BuildWriter, createBuildWriter } from './build/write-build.ts';
export * from './chunk.ts';
export { type Embedder, EmbeddingMisconfigured, EmbeddingUnavailable } from './embedding/embedder.ts';
export { paidBy } from './embedding/paid.ts';
export {
  createEmbedders,
  type Embedders,
  type EmbeddingConfig,
  type LocalModel,
  readEmbeddingConfig,
} from './embedding-config.ts';
export { readKnowledgeLimits } from './limits-config.ts';
export * from './model.ts';
export * from './object-keys.ts';
export { uncalibrated } from './search/calibration.ts';
export { localEngine, type Searchable } from './search/engine.ts';
export type { Prior } from './search/evidence.ts';
export { ABOUT, ANSWERS, type Features, logitOf, type Weights } from './search/evidence.ts';
export { isBetter, joined } from './search/follow-up.ts';
export { toHit } from './search/hits.ts';
export { type IndexedChunk, memoryBuild } from './search/memory-build.ts';
export { BuildUnreadable, createSearchPool, type PooledBuild, type SearchPool } from './search/pool.ts';
export { ANY, E5, MINILM, WORDS } from './search/priors.ts';
export { type Judged, type QueryVector, type SearchedBuild, search } from './search/search.ts';
export type { FaqItemDoc, SubPageDoc } from './source-model.ts';
export { corpusEraser } from './store/account-data.ts';
export { createBuildSweeper } from './store/build-sweeper.ts';
export { type Collections, corpusMigrations, EMBEDDING_TOKENS } from './store/collections.ts';
export { type Corpus, createCorpus } from './store/corpus.ts';
export { newDocument } from './store/documents.ts';
export { embeddingTokens } from './store/embedding-tokens.ts';
export type { NewFaqItem } from './store/faq-items.ts';
export { createFileSweeper } from './store/file-sweeper.ts';
export { purgeItem } from './store/purge.ts';
export { runsAlone, TRAINING_LEASE_MS, type TrainingJob } from './store/queue.ts';
export { createRetraining } from './store/retraining.ts';
export { itemSettleMs } from './store/strays.ts';
export type { RecordedSource, SourceOutcome } from './store/sub-pages.ts';
export { MAX_ATTEMPTS, MAX_RETRIES, type Published } from './store/training.ts';
export { type KnowledgeLimits, UNLIMITED } from './store/usage.ts';
export { runTrainingsProgram } from './trainings-program.ts';
