import { createLog, createMetrics } from '@parley/runtime';
import { openBus, signedBus } from '@parley/runtime/bus';
import { createRelay, openMongo } from '@parley/runtime/mongo';
import { type RpcProcess, rpcProcess } from '@parley/runtime/rpc';
import type { EventsConfig } from './config.ts';
import type { Dependencies } from './dependencies.ts';
import { rpcs } from './rpc/index.ts';
import { eventsEraser } from './store/account-data.ts';
import { eventStore } from './store/events.ts';
import { migrations } from './store/migrations.ts';
import { webhookCollection } from './store/webhooks.ts';
import { createWebhooks } from './webhooks/create-webhooks.ts';

/** The events service: the log of what has happened in each account. */
export function createEvents(config: EventsConfig, overrides: Partial<Dependencies> = {}): RpcProcess {
  const log = createLog(config.name, config.logLevel, config.logFormat);
  const mongo = openMongo(config.mongodb, migrations, log);
  const metrics = overrides.metrics ?? createMetrics();
  const identity = { secret: config.secret, role: config.name };
  const bus = signedBus(overrides.bus ?? openBus(config.bus, log, metrics), identity);
  const stores = { events: eventStore(mongo.db, config.kept), eraser: eventsEraser(mongo.db) };
  const webhooks = createWebhooks(config, { db: mongo.db, log, metrics, events: stores.events, ...overrides });
  const dependencies: Dependencies = { metrics, ...stores, ...webhooks.dependencies, ...overrides, bus };
  return rpcProcess({
    config,
    log,
    metrics,
    components: [
      mongo,
      // The owner of a shared bus starts and stops it.
      ...(overrides.bus ? [] : [bus]),
      createRelay({ collection: webhookCollection(mongo.db), bus, log }),
      ...webhooks.components,
    ],
    services: [rpcs(dependencies)],
    accountData: { eraser: dependencies.eraser },
    callers: ['gateway'],
  });
}
