import { fromBinary } from '@bufbuild/protobuf';
import { corpusMigrations, createCorpus, createEmbedders } from '@parley/corpus';
import { EventSchema } from '@parley/proto/events/v1/events_pb';
import {
  type Bus,
  type Component,
  createLog,
  createMetrics,
  KNOWLEDGE_TOPIC,
  openBus,
  openMongo,
  openObjects,
  operated,
  type Process,
} from '@parley/runtime';
import type { TrainerConfig } from './config.ts';
import { createFetcher } from './http/fetcher.ts';
import type { Parts } from './parts.ts';
import { createExtractor } from './website/extractor.ts';
import { createWorker } from './worker.ts';

const USER_AGENT = 'ParleyBot/1.0';

/** The trainer: takes jobs from the corpus database and works on them. It answers no RPCs. */
export function createTrainer(config: TrainerConfig, overrides: Partial<Parts> = {}): Process {
  const log = overrides.log ?? createLog(config.name, config.logLevel);
  const metrics = overrides.metrics ?? createMetrics();
  const mongo = openMongo(config.mongodb, corpusMigrations, log);
  const parts: Parts = {
    log,
    metrics,
    bus: overrides.bus ?? openBus(config.bus, log, metrics),
    objects: overrides.objects ?? openObjects(config.objects, log),
    embedders: overrides.embedders ?? createEmbedders(config.embedding),
    fetcher: createFetcher({ allow: config.crawlAllow, userAgent: USER_AGENT }),
    extractor: createExtractor(),
    corpus: createCorpus(mongo.db),
    ...overrides,
  };

  const workers = Array.from({ length: config.concurrency }, () => createWorker(parts, config.crawlLimits));
  const wakeAll = () => {
    for (const worker of workers) worker.wake();
  };
  parts.bus.subscribe(doorbell(wakeAll));
  metrics.queue('training', parts.corpus.training.oldestQueuedAge);

  const outside: Component = { name: 'extractor and fetcher', stop: () => parts.extractor.close() };
  // What is shared is its owner's to start and stop.
  const own = (['objects', 'embedders', 'bus'] as const).filter((name) => !overrides[name]).map((name) => parts[name]);
  const components = [mongo, ...own, outside, ...workers];
  return operated(config, log, metrics, components);
}

/** A queued training only wakes the workers up; what there is to do they read from the database. */
const doorbell = (ring: () => void): Parameters<Bus['subscribe']>[0] => ({
  topic: KNOWLEDGE_TOPIC,
  group: 'trainer',
  async handle({ value }) {
    if (fromBinary(EventSchema, value).fact.case === 'trainingQueued') ring();
  },
});
