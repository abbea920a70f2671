import { type EmbeddingConfig, readEmbeddingConfig } from '@parley/corpus';
import {
  ConfigError,
  type Env,
  type ObjectsConfig,
  type ProcessConfig,
  readObjectsConfig,
  readProcessConfig,
} from '@parley/runtime';
import { type AllowList, readAllowList } from '@parley/runtime/outbound';
import { parseUrl } from '@parley/runtime/parse-url';
import type { DocumentLimits, RecognitionLimits } from './documents/part.ts';
import { parseLanguages } from './documents/recognition/languages.ts';
import type { TrainingLimits } from './training/limits.ts';
import type { YouTubeConfig } from './videos/youtube.ts';
import type { CrawlLimits } from './website/crawl-limits.ts';

export interface TrainerConfig extends ProcessConfig {
  objects: ObjectsConfig;
  embedding: EmbeddingConfig;
  /** Private addresses that may be crawled nevertheless. */
  crawlAllow: AllowList;
  crawlLimits: CrawlLimits;
  trainingLimits: TrainingLimits;
  documentLimits: DocumentLimits;
  /** JavaScript heap of a process that reads a document. */
  documentMemoryMb: number;
  /** For the next page or part of a document. */
  documentMs: number;
  youtube: Omit<YouTubeConfig, 'allow'>;
  /** Trainings that this process runs concurrently. */
  concurrency: number;
  /** Whether to renew the vectors of live builds after a change of the embedding model. */
  reembeds: boolean;
}

const MINUTE_MS = 60_000;
const MIB = 1024 * 1024;

export const readConfig = (env: Env): TrainerConfig => ({
  ...readProcessConfig(env, 'trainer', 'corpus'),
  objects: readObjectsConfig(env),
  embedding: readEmbeddingConfig(env),
  crawlAllow: readAllowList(env),
  crawlLimits: readCrawlLimits(env),
  trainingLimits: readTrainingLimits(env),
  documentLimits: readDocumentLimits(env),
  documentMemoryMb: env.integer('DOCUMENT_MEMORY_MIB', 192, { min: 64, max: 4_096 }),
  documentMs: env.integer('DOCUMENT_PAGE_SECONDS', 30, { min: 1, max: 3_600 }) * 1_000,
  youtube: { origin: readHttp(env, 'YOUTUBE_URL')?.origin, proxy: readHttp(env, 'YOUTUBE_PROXY_URL')?.href },
  concurrency: env.integer('TRAINER_CONCURRENCY', 2, { min: 1, max: 16 }),
  reembeds: env.flag('TRAINER_REEMBED', true),
});

/** Limits of one website training; the pages closest to the start are read first. */
const readCrawlLimits = (env: Env): CrawlLimits => ({
  pages: env.integer('CRAWL_MAX_PAGES', 500, { min: 1, max: 100_000 }),
  depth: env.integer('CRAWL_MAX_DEPTH', 10, { max: 1_000 }),
  bytes: env.integer('CRAWL_MAX_MIB', 500, { min: 1, max: 100_000 }) * MIB,
  millis: env.integer('CRAWL_MAX_MINUTES', 30, { min: 1, max: 24 * 60 }) * MINUTE_MS,
  concurrency: env.integer('CRAWL_CONCURRENCY', 4, { min: 1, max: 16 }),
  perHostDelayMs: env.integer('CRAWL_DELAY_MS', 100, { max: 60_000 }),
});

/**
 * A chunk takes about 3 KB of a search's memory with the local model (its text, its words, 384 numbers), 7 KB with
 * vectors of 1,536. So all that an account may have fits into what searches keep (SEARCH_CACHE_MIB), and one item into
 * what one search may take with any model (SEARCH_MEMORY_MIB). A page of 5 MB of prose has 8,000 chunks, an ordinary one
 * five.
 */
const readTrainingLimits = (env: Env): TrainingLimits => ({
  pageChunks: env.integer('TRAINING_MAX_PAGE_CHUNKS', 5_000, { min: 1, max: 10_000_000 }),
  itemChunks: env.integer('TRAINING_MAX_ITEM_CHUNKS', 20_000, { min: 1, max: 10_000_000 }),
  accountChunks: env.integer('TRAINING_MAX_ACCOUNT_CHUNKS', 50_000, { min: 1, max: 100_000_000 }),
  millis: env.integer('TRAINING_MAX_MINUTES', 60, { min: 1, max: 24 * 60 }) * MINUTE_MS,
});

/** @throws ConfigError that does not show the address, which may have a password. */
function readHttp(env: Env, name: string): URL | undefined {
  const text = env.optional(name);
  if (text === undefined) return undefined;
  const url = parseUrl(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new ConfigError(`${name} must be an address that begins with http:// or https://.`);
}

const readDocumentLimits = (env: Env): DocumentLimits => ({
  ...readRecognition(env),
  pages: env.integer('DOCUMENT_MAX_PAGES', 5_000, { min: 1, max: 100_000 }),
  rows: env.integer('DOCUMENT_MAX_ROWS', 50_000, { min: 1, max: 10_000_000 }),
  characters: env.integer('DOCUMENT_MAX_CHARACTERS', 20_000_000, { min: 1, max: 1_000_000_000 }),
});

/** Off by default: a page takes several seconds of a processor. */
function readRecognition(env: Env): Pick<DocumentLimits, 'recognition'> {
  const text = env.optional('DOCUMENT_OCR');
  const pages = env.integer('DOCUMENT_OCR_MAX_PAGES', 200, { min: 1, max: 100_000 });
  const pageMs = env.integer('DOCUMENT_OCR_PAGE_SECONDS', 60, { min: 1, max: 3_600 }) * 1_000;
  return text === undefined ? {} : { recognition: { languages: readLanguages(text), pages, pageMs } };
}

function readLanguages(text: string): RecognitionLimits['languages'] {
  try {
    return parseLanguages(text);
  } catch (error) {
    throw new ConfigError(`DOCUMENT_OCR ${(error as Error).message}`);
  }
}
