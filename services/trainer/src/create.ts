import { corpusMigrations, createCorpus, createEmbedders } from '@parley/corpus';
import { type Component, createLog, createMetrics, type Process } from '@parley/runtime';
import { consume, openBus } from '@parley/runtime/bus';
import { openMongo } from '@parley/runtime/mongo';
import { openObjects } from '@parley/runtime/objects';
import { operated } from '@parley/runtime/rpc';
import type { TrainerConfig } from './config.ts';
import { createFetcher } from './http/fetcher.ts';
import type { Parts } from './parts.ts';
import { createReaders } from './reading/readers.ts';
import { createReembedding } from './reembedding.ts';
import { createSlots } from './slots.ts';
import { createYouTube } from './videos/youtube.ts';
import { createWorker } from './worker.ts';

const USER_AGENT = 'ParleyBot/1.0';

/** The trainer: claims jobs in the corpus database and runs them. It serves no RPCs. */
export function createTrainer(config: TrainerConfig, overrides: Partial<Parts> = {}): Process {
  const log = overrides.log ?? createLog(config.name, config.logLevel, config.logFormat);
  const metrics = overrides.metrics ?? createMetrics();
  const mongo = openMongo(config.mongodb, corpusMigrations, log);
  const parts: Parts = {
    log,
    metrics,
    bus: overrides.bus ?? openBus(config.bus, log, metrics),
    objects: overrides.objects ?? openObjects(config.objects, log),
    embedders: overrides.embedders ?? createEmbedders(config.embedding),
    fetcher: createFetcher({ allow: config.crawlAllow, userAgent: USER_AGENT }),
    youtube: createYouTube({ ...config.youtube, allow: config.crawlAllow }),
    readers: createReaders({ documentMemoryMb: config.documentMemoryMb, documentMs: config.documentMs }),
    corpus: createCorpus(mongo.db),
    ...overrides,
  };

  const limits = { crawl: config.crawlLimits, document: config.documentLimits, training: config.trainingLimits };
  const slots = createSlots(parts.corpus.training, config.concurrency);
  const workers = Array.from({ length: config.concurrency }, () => createWorker(parts, slots, limits));
  const wakeAll = () => {
    for (const worker of workers) worker.wake();
  };
  // Only a wake-up: workers find their jobs in the database.
  const doorbell = consume(parts.bus, { group: 'trainer', on: { trainingQueued: async () => wakeAll() } });
  metrics.queue('training', parts.corpus.training.oldestQueuedAge);

  const outside: Component = {
    name: 'readers and clients',
    async stop() {
      await Promise.all([parts.readers.close(), parts.fetcher.close(), parts.youtube.close()]);
    },
  };
  // Shared parts are started and stopped by their owner.
  const own = (['objects', 'embedders', 'bus'] as const).filter((name) => !overrides[name]).map((name) => parts[name]);
  const components = [
    mongo,
    ...own,
    outside,
    ...workers,
    ...(config.reembeds ? [createReembedding(parts, slots)] : []),
    doorbell,
  ];
  return operated(config, log, metrics, components);
}
