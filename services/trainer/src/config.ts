import { type EmbeddingConfig, readAllowList, readEmbeddingConfig } from '@parley/corpus';
import type { AllowList } from '@parley/corpus/guard';
import {
  type Env,
  type ObjectsConfig,
  type ProcessConfig,
  readObjectsConfig,
  readProcessConfig,
} from '@parley/runtime';
import type { CrawlLimits } from './website/crawl.ts';

export interface TrainerConfig extends ProcessConfig {
  objects: ObjectsConfig;
  embedding: EmbeddingConfig;
  /** Private addresses that may be read all the same. */
  crawlAllow: AllowList;
  crawlLimits: CrawlLimits;
  /** Trainings that this process works on at the same time. */
  concurrency: number;
}

const MINUTE_MS = 60_000;
const MIB = 1024 * 1024;

export const readConfig = (env: Env): TrainerConfig => ({
  ...readProcessConfig(env, 'trainer', 'corpus'),
  objects: readObjectsConfig(env),
  embedding: readEmbeddingConfig(env),
  crawlAllow: readAllowList(env),
  crawlLimits: readCrawlLimits(env),
  concurrency: env.integer('TRAINER_CONCURRENCY', 2, { min: 1, max: 16 }),
});

/** What one training of a website may read; the pages are those nearest to the start. */
const readCrawlLimits = (env: Env): CrawlLimits => ({
  pages: env.integer('CRAWL_MAX_PAGES', 500, { min: 1, max: 100_000 }),
  depth: env.integer('CRAWL_MAX_DEPTH', 10, { max: 1_000 }),
  bytes: env.integer('CRAWL_MAX_MIB', 500, { min: 1, max: 100_000 }) * MIB,
  millis: env.integer('CRAWL_MAX_MINUTES', 30, { min: 1, max: 24 * 60 }) * MINUTE_MS,
  concurrency: env.integer('CRAWL_CONCURRENCY', 4, { min: 1, max: 16 }),
  perHostDelayMs: env.integer('CRAWL_DELAY_MS', 100, { max: 60_000 }),
});
