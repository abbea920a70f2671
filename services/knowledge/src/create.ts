import {
  corpusMigrations,
  createBuildCache,
  createBuildSweeper,
  createCorpus,
  createEmbedders,
  purgeItem,
  TRAINING_LEASE_MS,
} from '@parley/corpus';
import { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import {
  type Component,
  createLog,
  createMetrics,
  createPurge,
  createRelay,
  KNOWLEDGE_TOPIC,
  type Log,
  openBus,
  openMongo,
  openObjects,
  type RpcProcess,
  rpcProcess,
  service,
} from '@parley/runtime';
import type { KnowledgeConfig } from './config.ts';
import type { Parts } from './parts.ts';
import { batchGetKnowledgeItems } from './rpc/batch-get-knowledge-items.ts';
import { createFaq } from './rpc/create-faq.ts';
import { createFaqItem } from './rpc/create-faq-item.ts';
import { createWebsite } from './rpc/create-website.ts';
import { deleteFaqItem } from './rpc/delete-faq-item.ts';
import { deleteKnowledgeItem } from './rpc/delete-knowledge-item.ts';
import { getKnowledgeItem } from './rpc/get-knowledge-item.ts';
import { listFaqItems } from './rpc/list-faq-items.ts';
import { listKnowledgeItems } from './rpc/list-knowledge-items.ts';
import { listSubPages } from './rpc/list-sub-pages.ts';
import { search } from './rpc/search.ts';
import { trainKnowledgeItem } from './rpc/train-knowledge-item.ts';

/** The longest that a worker who has not heard of a deletion may go on, with room to spare. */
const SETTLE_MS = 2 * TRAINING_LEASE_MS;

/** The knowledge service: what accounts teach their assistants, and search over it. */
export function createKnowledge(config: KnowledgeConfig, overrides: Partial<Parts> = {}): RpcProcess {
  const log = createLog(config.name, config.logLevel);
  const metrics = overrides.metrics ?? createMetrics();
  const mongo = openMongo(config.mongodb, corpusMigrations, log);
  const parts: Parts = {
    metrics,
    bus: overrides.bus ?? openBus(config.bus, log, metrics),
    objects: overrides.objects ?? openObjects(config.objects, log),
    embedders: overrides.embedders ?? createEmbedders(config.embedding),
    corpus: createCorpus(mongo.db),
    cache: createBuildCache({ maxBytes: config.searchCacheBytes }),
    crawlAllow: config.crawlAllow,
    ...overrides,
  };
  metrics.queue('training', parts.corpus.training.oldestQueuedAge);

  // What is shared is its owner's to start and stop.
  const own = (['bus', 'objects', 'embedders'] as const).filter((name) => !overrides[name]).map((name) => parts[name]);
  return rpcProcess({
    config,
    log,
    metrics,
    components: [mongo, ...own, ...housekeeping(parts, log)],
    services: [
      service(KnowledgeService, {
        createWebsite: createWebsite(parts),
        createFaq: createFaq(parts),
        getKnowledgeItem: getKnowledgeItem(parts),
        batchGetKnowledgeItems: batchGetKnowledgeItems(parts),
        listKnowledgeItems: listKnowledgeItems(parts),
        deleteKnowledgeItem: deleteKnowledgeItem(parts),
        trainKnowledgeItem: trainKnowledgeItem(parts),
        listSubPages: listSubPages(parts),
        createFaqItem: createFaqItem(parts),
        listFaqItems: listFaqItems(parts),
        deleteFaqItem: deleteFaqItem(parts),
        search: search(parts),
      }),
    ],
  });
}

/** Tells others what has happened, and removes what is deleted or of no more use. */
function housekeeping({ corpus, bus, objects }: Parts, log: Log): Component[] {
  const { collections } = corpus;
  return [
    createRelay({ collection: collections.items, bus, topic: KNOWLEDGE_TOPIC, log }),
    createPurge({
      collection: collections.items,
      settleMs: SETTLE_MS,
      log,
      purge: (deleted, signal) => purgeItem(collections, objects, deleted, signal),
    }),
    createBuildSweeper({ collections, objects, log }),
  ];
}
