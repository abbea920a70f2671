import {
  corpusEraser,
  corpusMigrations,
  createBuildFiles,
  createBuildSweeper,
  createCorpus,
  createEmbedders,
  createFileSweeper,
  createRetraining,
  createSearchPool,
  EMBEDDING_TOKENS,
  embeddingTokens,
  itemSettleMs,
  purgeItem,
  TRAINING_LEASE_MS,
} from '@parley/corpus';
import type { Component, Log } from '@parley/runtime';
import { KNOWLEDGE_TOPIC } from '@parley/runtime/bus';
import { createPurge, createRelays, quotaCollection, tokensCollection } from '@parley/runtime/mongo';
import { openObjects } from '@parley/runtime/objects';
import { openService, type RpcProcess, rpcProcess } from '@parley/runtime/rpc';
import type { KnowledgeConfig } from './config.ts';
import type { Dependencies } from './dependencies.ts';
import { consumeOwn } from './events.ts';
import { createFetchAhead } from './fetch-ahead.ts';
import { rpcs } from './rpc/index.ts';
import { createTranscriptReader } from './sandbox/transcript-reader.ts';

/** Longer than a worker can go on before it notices a deletion. */
const SETTLE_MS = 2 * TRAINING_LEASE_MS;

/** The knowledge service: knowledge items, and search over them. */
export function createKnowledge(config: KnowledgeConfig, overrides: Partial<Dependencies> = {}): RpcProcess {
  const { log, metrics, tls, mongo, bus, own } = openService(config, corpusMigrations, overrides);
  const objects = overrides.objects ?? openObjects(config.objects, log, metrics);
  const pool = overrides.pool ?? createSearchPool({ memoryBytes: config.indexMemoryBytes });
  const corpus = createCorpus(mongo.db, config.limits);
  const files = createBuildFiles({ ...config.index, objects, dropped: pool.forget });
  const dependencies: Dependencies = {
    metrics,
    objects,
    embedders: overrides.embedders ?? createEmbedders(config.embedding, metrics),
    tokens: embeddingTokens(mongo.db, config.embedding.tokensPerDay, log, metrics),
    corpus,
    files,
    pool,
    ahead: createFetchAhead({ corpus, files, pool, log }),
    eraser: corpusEraser(mongo.db, objects),
    crawlAllow: config.crawlAllow,
    transcripts: createTranscriptReader(),
    ...overrides,
    bus,
  };
  metrics.queue('training', dependencies.corpus.training.waiting);
  metrics.indexCache(dependencies.files.bytes);

  // The owner of what is shared starts and stops it.
  const unshared = (['objects', 'embedders'] as const)
    .filter((name) => !overrides[name])
    .map((name) => dependencies[name]);
  return rpcProcess({
    config,
    log,
    metrics,
    tls,
    components: [
      ...own,
      ...unshared,
      dependencies.files,
      searching(pool),
      dependencies.ahead,
      dependencies.transcripts,
      ...createRelays(
        [
          dependencies.corpus.collections.items.unlisted,
          quotaCollection(mongo.db),
          tokensCollection(mongo.db, EMBEDDING_TOKENS),
        ],
        { bus, log, metrics, otherTopic: KNOWLEDGE_TOPIC },
      ),
      ...housekeeping(dependencies, log),
    ],
    services: [rpcs(dependencies)],
    accountData: { eraser: dependencies.eraser, forget: (account) => void dependencies.files.forget(account) },
    callers: ['assistants', 'gateway'],
  });
}

const searching = ({ close }: Dependencies['pool']): Component => ({ name: 'search threads', stop: close });

/** Queues trainings that are due, and removes what is deleted or no longer needed. */
function housekeeping({ corpus, bus, objects }: Dependencies, log: Log): Component[] {
  const { collections } = corpus;
  return [
    createPurge({
      collection: collections.items.unlisted,
      settleMs: itemSettleMs(SETTLE_MS),
      log,
      async purge(deleted, signal) {
        await corpus.items.settle(deleted.account, deleted._id);
        await purgeItem(corpus, objects, deleted, signal);
      },
    }),
    consumeOwn(bus, corpus),
    createBuildSweeper({ collections, objects, log }),
    createRetraining({ collections, log }),
    createFileSweeper({ collections, objects, log }),
  ];
}
