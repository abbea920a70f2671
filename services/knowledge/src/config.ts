import { type EmbeddingConfig, readEmbeddingConfig } from '@parley/corpus';
import {
  type Env,
  type ObjectsConfig,
  readObjectsConfig,
  readServiceConfig,
  type ServiceConfig,
} from '@parley/runtime';
import { type AllowList, readAllowList } from '@parley/runtime/outbound';

export interface KnowledgeConfig extends ServiceConfig {
  objects: ObjectsConfig;
  embedding: EmbeddingConfig;
  /** Private addresses that a website may have nevertheless. */
  crawlAllow: AllowList;
  /** Memory for builds that no search is using; the most recently used are kept. */
  searchCacheBytes: number;
  /** Memory for all builds together, including those that searches are using or loading. */
  searchMemoryBytes: number;
}

const MIB = 1024 * 1024;

export const readConfig = (env: Env): KnowledgeConfig => ({
  ...readServiceConfig(env, 'knowledge', 'corpus'),
  objects: readObjectsConfig(env),
  embedding: readEmbeddingConfig(env),
  crawlAllow: readAllowList(env),
  searchCacheBytes: env.integer('SEARCH_CACHE_MIB', 256, { min: 16, max: 1_000_000 }) * MIB,
  // A pod of 1 GiB uses about 300 MiB without any builds; the rest is headroom for searches and garbage.
  searchMemoryBytes: env.integer('SEARCH_MEMORY_MIB', 384, { min: 1, max: 1_000_000 }) * MIB,
});
