export { readAllowList } from './allow-list-config.ts';
export { type Embedder, EmbeddingUnavailable } from './embedding/embedder.ts';
export {
  createEmbedders,
  type Embedders,
  type EmbeddingConfig,
  readEmbeddingConfig,
} from './embedding-config.ts';
export * from './model.ts';
export { createBuildIndex } from './search/build-index.ts';
export { type BuildCache, createBuildCache } from './search/cache.ts';
export { type Hit, type QueryVector, type SearchedBuild, searchByWords } from './search/search.ts';
export { createBuildSweeper } from './store/build-sweeper.ts';
export { IncompleteBuild, type NewChunk, type StoredChunk, textHash } from './store/chunks.ts';
export { type Collections, corpusMigrations } from './store/collections.ts';
export { type Corpus, createCorpus } from './store/corpus.ts';
export type { NewFaqItem } from './store/faq-items.ts';
export type { NewItem } from './store/items.ts';
export { purgeItem } from './store/purge.ts';
export type { PageOutcome } from './store/sub-pages.ts';
export { MAX_ATTEMPTS, TRAINING_LEASE_MS, type TrainingJob } from './store/training.ts';
