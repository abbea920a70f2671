import { type EmbeddingConfig, readAllowList, readEmbeddingConfig } from '@parley/corpus';
import type { AllowList } from '@parley/corpus/guard';
import {
  type Env,
  type ObjectsConfig,
  readObjectsConfig,
  readServiceConfig,
  type ServiceConfig,
} from '@parley/runtime';

export interface KnowledgeConfig extends ServiceConfig {
  objects: ObjectsConfig;
  embedding: EmbeddingConfig;
  /** Private addresses that a website may have all the same. */
  crawlAllow: AllowList;
  /** What the builds that are searched may take of this process's memory. */
  searchCacheBytes: number;
}

const MIB = 1024 * 1024;

export const readConfig = (env: Env): KnowledgeConfig => ({
  ...readServiceConfig(env, 'knowledge', 'corpus'),
  objects: readObjectsConfig(env),
  embedding: readEmbeddingConfig(env),
  crawlAllow: readAllowList(env),
  searchCacheBytes: env.integer('SEARCH_CACHE_MIB', 256, { min: 16, max: 1_000_000 }) * MIB,
});
