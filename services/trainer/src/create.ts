import {
  corpusMigrations,
  createBuildFiles,
  createCorpus,
  createEmbedders,
  embeddingTokens,
  UNLIMITED,
} from '@parley/corpus';
import { type Component, createLog, createMetrics, type Process } from '@parley/runtime';
import { consume, openBus } from '@parley/runtime/bus';
import { openMongo } from '@parley/runtime/mongo';
import { openObjects } from '@parley/runtime/objects';
import { createOutboundClients } from '@parley/runtime/outbound';
import { withOpsServer } from '@parley/runtime/rpc';
import type { TrainerConfig } from './config.ts';
import { createFetcher } from './crawl/http/fetcher.ts';
import type { Dependencies } from './dependencies.ts';
import { createReaders } from './sandbox/readers.ts';
import { createYouTube } from './sources/youtube/youtube.ts';
import { createReembedding } from './training/reembedding.ts';
import { createSlots } from './training/slots.ts';
import { createWorker } from './training/worker.ts';

const USER_AGENT = 'ParleyBot/1.0';

/** The trainer: claims jobs in the corpus database and runs them. It serves no RPCs. */
export function createTrainer(config: TrainerConfig, overrides: Partial<Dependencies> = {}): Process {
  const log = overrides.log ?? createLog(config.name, config.logLevel, config.logFormat);
  const metrics = overrides.metrics ?? createMetrics();
  const mongo = openMongo(config.mongodb, corpusMigrations, log);
  const objects = overrides.objects ?? openObjects(config.objects, log, metrics);
  const { accountChunks: chunks } = config.trainingLimits;
  const dependencies: Dependencies = {
    log,
    metrics,
    bus: overrides.bus ?? openBus(config.bus, log, metrics),
    objects,
    embedders: overrides.embedders ?? createEmbedders(config.embedding, metrics),
    tokens: embeddingTokens(mongo.db, config.embedding.tokensPerDay, log, metrics),
    fetchers: createOutboundClients({ allow: config.crawlAllow, userAgent: USER_AGENT }, createFetcher),
    youtube: createYouTube({ ...config.youtube, allow: config.crawlAllow }),
    readers: createReaders({ documentMemoryMb: config.documentMemoryMb, documentMs: config.documentMs }),
    corpus: createCorpus(mongo.db, { ...UNLIMITED, chunks, index_bytes: config.indexBytes }),
    files: createBuildFiles({ ...config.index, objects }),
    ...overrides,
  };

  const limits = { crawl: config.crawlLimits, document: config.documentLimits, training: config.trainingLimits };
  const slots = createSlots(dependencies.corpus.training, config.concurrency);
  const workers = Array.from({ length: config.concurrency }, () => createWorker(dependencies, slots, limits));
  const wakeAll = () => {
    for (const worker of workers) worker.wake();
  };
  // Only a wake-up: workers find their jobs in the database.
  const trainingNotifications = consume(dependencies.bus, {
    group: 'trainer',
    on: { trainingQueued: async () => wakeAll() },
  });
  metrics.queue('training', dependencies.corpus.training.waiting);
  metrics.indexCache(dependencies.files.bytes);

  const outside: Component = {
    name: 'readers and clients',
    async stop() {
      await Promise.all([dependencies.readers.close(), dependencies.fetchers.close(), dependencies.youtube.close()]);
    },
  };
  // Shared parts are started and stopped by their owner.
  const own = (['objects', 'embedders', 'bus'] as const)
    .filter((name) => !overrides[name])
    .map((name) => dependencies[name]);
  const components = [
    mongo,
    ...own,
    dependencies.files,
    outside,
    ...workers,
    ...(config.reembeds ? [createReembedding(dependencies, slots)] : []),
    trainingNotifications,
  ];
  return withOpsServer(config, log, metrics, components);
}
