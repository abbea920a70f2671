import { createLog, createMetrics, createNotifier } from '@parley/runtime';
import { openBus, signedBus, WEBHOOKS_TOPIC } from '@parley/runtime/bus';
import { createRelays, openMongo, quotaCollection } from '@parley/runtime/mongo';
import { type RpcProcess, rpcProcess } from '@parley/runtime/rpc';
import type { EventsConfig } from './config.ts';
import { consumeFacts } from './consume-facts.ts';
import type { Dependencies } from './dependencies.ts';
import { rpcs } from './rpc/index.ts';
import { eventsEraser } from './store/account-data.ts';
import { beginning } from './store/beginning.ts';
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
  const webhooks = createWebhooks(config, { db: mongo.db, log, metrics, ...overrides });
  const dependencies: Dependencies = {
    metrics,
    ...webhooks.dependencies,
    notifier: createNotifier(),
    eraser: eventsEraser(mongo.db),
    ...overrides,
    bus,
  };
  return rpcProcess({
    config,
    log,
    metrics,
    components: [
      mongo,
      // The owner of a shared bus starts and stops it.
      ...(overrides.bus ? [] : [bus]),
      ...createRelays([webhookCollection(mongo.db), quotaCollection(mongo.db)], {
        ...{ bus, log, metrics, otherTopic: WEBHOOKS_TOPIC },
      }),
      ...webhooks.components,
      consumeFacts(dependencies, () => beginning(mongo.db)),
    ],
    services: [rpcs(dependencies)],
    accountData: { eraser: dependencies.eraser },
    callers: ['gateway'],
  });
}
