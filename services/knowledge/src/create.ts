import {
  corpusEraser,
  corpusMigrations,
  createBuildCache,
  createBuildSweeper,
  createCorpus,
  createEmbedders,
  createFileSweeper,
  createRetraining,
  itemSettleMs,
  purgeItem,
  TRAINING_LEASE_MS,
} from '@parley/corpus';
import { type Component, createLog, createMetrics, type Log } from '@parley/runtime';
import { KNOWLEDGE_TOPIC, openBus } from '@parley/runtime/bus';
import { createAccountSweeper, createPurge, createRelay, openMongo } from '@parley/runtime/mongo';
import { openObjects } from '@parley/runtime/objects';
import { type RpcProcess, rpcProcess } from '@parley/runtime/rpc';
import type { KnowledgeConfig } from './config.ts';
import { consumeOwn } from './events.ts';
import type { Parts } from './parts.ts';
import { rpcs } from './rpc/index.ts';

/** Longer than a worker can go on before it notices a deletion. */
const SETTLE_MS = 2 * TRAINING_LEASE_MS;

/** The knowledge service: knowledge items, and search over them. */
export function createKnowledge(config: KnowledgeConfig, overrides: Partial<Parts> = {}): RpcProcess {
  const log = createLog(config.name, config.logLevel, config.logFormat);
  const metrics = overrides.metrics ?? createMetrics();
  const mongo = openMongo(config.mongodb, corpusMigrations, log);
  const objects = overrides.objects ?? openObjects(config.objects, log);
  const parts: Parts = {
    metrics,
    bus: overrides.bus ?? openBus(config.bus, log, metrics),
    objects,
    embedders: overrides.embedders ?? createEmbedders(config.embedding),
    corpus: createCorpus(mongo.db),
    cache: createBuildCache({ keepBytes: config.searchCacheBytes, maxBytes: config.searchMemoryBytes }),
    eraser: corpusEraser(mongo.db, objects),
    crawlAllow: config.crawlAllow,
    ...overrides,
  };
  metrics.queue('training', parts.corpus.training.oldestQueuedAge);

  // Shared parts are started and stopped by their owner.
  const own = (['bus', 'objects', 'embedders'] as const).filter((name) => !overrides[name]).map((name) => parts[name]);
  return rpcProcess({
    config,
    log,
    metrics,
    components: [mongo, ...own, ...housekeeping(parts, log)],
    services: [rpcs(parts)],
  });
}

/** Publishes events, queues trainings that are due, and removes what is deleted or no longer needed. */
function housekeeping({ corpus, bus, objects, cache, eraser }: Parts, log: Log): Component[] {
  const { collections } = corpus;
  return [
    createRelay({ collection: collections.items, bus, topic: KNOWLEDGE_TOPIC, log }),
    createPurge({
      collection: collections.items,
      settleMs: itemSettleMs(SETTLE_MS),
      log,
      async purge(deleted, signal) {
        await corpus.items.settle(deleted.account, deleted._id);
        await purgeItem(collections, objects, deleted, signal);
      },
    }),
    consumeOwn(bus, corpus),
    createBuildSweeper({ collections, objects, log }),
    createRetraining({ collections, log }),
    createFileSweeper({ collections, objects, log }),
    createAccountSweeper({ eraser, log, forget: cache.forget }),
  ];
}
