import { type EmbeddingConfig, type IndexConfig, readEmbeddingConfig, readIndexConfig } from '@parley/corpus';
import type { DocumentLimits, RecognitionLimits } from '@parley/reading/documents';
import { parseLanguages } from '@parley/reading/documents';
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
import type { CrawlLimits } from './crawl/crawl-limits.ts';
import type { TrainingLimits } from './sources/limits.ts';
import type { YouTubeConfig } from './sources/youtube/youtube.ts';

export interface TrainerConfig extends ProcessConfig {
  objects: ObjectsConfig;
  embedding: EmbeddingConfig;
  index: IndexConfig;
  /** Bytes of all live builds of an account. */
  indexBytes: number;
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
  /** True if to renew the vectors of live builds after a change of the embedding model. */
  reembeds: boolean;
}

const MINUTE_MS = 60_000;
const MIB = 1024 * 1024;

export const readConfig = (env: Env): TrainerConfig => ({
  ...readProcessConfig(env, 'trainer', 'corpus'),
  objects: readObjectsConfig(env),
  embedding: readEmbeddingConfig(env),
  index: readIndexConfig(env),
  indexBytes: env.get('QUOTA_INDEX_MIB') * MIB,
  crawlAllow: readAllowList(env),
  crawlLimits: readCrawlLimits(env),
  trainingLimits: readTrainingLimits(env),
  documentLimits: readDocumentLimits(env),
  documentMemoryMb: env.get('DOCUMENT_MEMORY_MIB'),
  documentMs: env.get('DOCUMENT_PAGE_SECONDS') * 1_000,
  youtube: { origin: readHttp(env, 'YOUTUBE_URL')?.origin, proxy: readHttp(env, 'YOUTUBE_PROXY_URL')?.href },
  concurrency: env.get('TRAINER_CONCURRENCY'),
  reembeds: env.get('TRAINER_REEMBED'),
});

/** Limits of one website training; the pages closest to the start are read first. */
const readCrawlLimits = (env: Env): CrawlLimits => ({
  pages: env.get('CRAWL_MAX_PAGES'),
  depth: env.get('CRAWL_MAX_DEPTH'),
  bytes: env.get('CRAWL_MAX_MIB') * MIB,
  millis: env.get('CRAWL_MAX_MINUTES') * MINUTE_MS,
  concurrency: env.get('CRAWL_CONCURRENCY'),
  perHostDelayMs: env.get('CRAWL_DELAY_MS'),
});

/** A chunk takes 3 to 5 KB on disk. A page of 5 MB of prose has 8,000 chunks, an ordinary one five. */
const readTrainingLimits = (env: Env): TrainingLimits => ({
  pageChunks: env.get('TRAINING_MAX_PAGE_CHUNKS'),
  itemChunks: env.get('TRAINING_MAX_ITEM_CHUNKS'),
  accountChunks: env.get('TRAINING_MAX_ACCOUNT_CHUNKS'),
  millis: env.get('TRAINING_MAX_MINUTES') * MINUTE_MS,
});

/** @throws ConfigError that does not show the address, which may have a password. */
function readHttp(env: Env, name: 'YOUTUBE_URL' | 'YOUTUBE_PROXY_URL'): URL | undefined {
  const text = env.get(name);
  if (text === undefined) return undefined;
  const url = parseUrl(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new ConfigError(`${name} must be an address that begins with http:// or https://.`);
}

const readDocumentLimits = (env: Env): DocumentLimits => ({
  ...readRecognition(env),
  pages: env.get('DOCUMENT_MAX_PAGES'),
  rows: env.get('DOCUMENT_MAX_ROWS'),
  characters: env.get('DOCUMENT_MAX_CHARACTERS'),
});

/** Off by default: a page takes several seconds of a processor. */
function readRecognition(env: Env): Pick<DocumentLimits, 'recognition'> {
  const text = env.get('DOCUMENT_OCR');
  const pages = env.get('DOCUMENT_OCR_MAX_PAGES');
  const pageMs = env.get('DOCUMENT_OCR_PAGE_SECONDS') * 1_000;
  return text === undefined ? {} : { recognition: { languages: readLanguages(text), pages, pageMs } };
}

function readLanguages(text: string): RecognitionLimits['languages'] {
  try {
    return parseLanguages(text);
  } catch (error) {
    throw new ConfigError(`DOCUMENT_OCR ${(error as Error).message}`);
  }
}
