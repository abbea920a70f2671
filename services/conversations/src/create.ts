import { createLog, createMetrics } from '@parley/runtime';
import { CONVERSATIONS_TOPIC, openBus } from '@parley/runtime/bus';
import { createAccountSweeper, createGoneSweeper, createRelay, openMongo } from '@parley/runtime/mongo';
import { type RpcProcess, rpcProcess } from '@parley/runtime/rpc';
import { createBell } from './bell.ts';
import type { ConversationsConfig } from './config.ts';
import { consumeAssistants, consumeOwn } from './events.ts';
import type { Parts } from './parts.ts';
import { rpcs } from './rpc/index.ts';
import { conversationsEraser } from './store/account-data.ts';
import { migrations } from './store/migrations.ts';
import { conversationStores } from './store/stores.ts';
import { threadCollection } from './store/threads.ts';

/** The conversations service: the messages of people and assistants. */
export function createConversations(config: ConversationsConfig, overrides: Partial<Parts> = {}): RpcProcess {
  const log = createLog(config.name, config.logLevel, config.logFormat);
  const mongo = openMongo(config.mongodb, migrations, log);
  const metrics = overrides.metrics ?? createMetrics();
  const bus = overrides.bus ?? openBus(config.bus, log, metrics);
  const stores = conversationStores(mongo.db);
  const parts: Parts = {
    metrics,
    bus,
    ...stores,
    bell: createBell(),
    eraser: conversationsEraser(mongo.db),
    ...overrides,
  };
  const relay = createRelay({ collection: threadCollection(mongo.db), bus, topic: CONVERSATIONS_TOPIC, log });
  const orphans = createGoneSweeper({
    gone: stores.threads.gone,
    log,
    remove: (account, assistant, signal) => stores.removal.sweep(account, assistant, { signal }),
  });
  return rpcProcess({
    config,
    log,
    metrics,
    // The owner of a shared bus starts and stops it.
    components: [
      mongo,
      ...(overrides.bus ? [] : [bus]),
      relay,
      orphans,
      consumeAssistants(bus, stores, orphans),
      consumeOwn(bus, stores),
      createAccountSweeper({ eraser: parts.eraser, log }),
    ],
    services: [rpcs(parts)],
  });
}
