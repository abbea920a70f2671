import {
  type EmbeddingConfig,
  type IndexConfig,
  type KnowledgeLimits,
  readEmbeddingConfig,
  readIndexConfig,
  readKnowledgeLimits,
} from '@parley/corpus';
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
  limits: KnowledgeLimits;
  /** Private addresses that a website may have nevertheless. */
  crawlAllow: AllowList;
  index: IndexConfig;
  /** Memory for vectors; those that do not fit are read from disk for each search. */
  indexMemoryBytes: number;
}

const MIB = 1024 * 1024;

export const readConfig = (env: Env): KnowledgeConfig => ({
  ...readServiceConfig(env, 'knowledge', 'corpus'),
  objects: readObjectsConfig(env),
  embedding: readEmbeddingConfig(env),
  limits: readKnowledgeLimits(env),
  crawlAllow: readAllowList(env),
  index: readIndexConfig(env),
  indexMemoryBytes: env.get('INDEX_MEMORY_MIB') * MIB,
});
