import { createNotifier } from '@parley/runtime';
import { WEBHOOKS_TOPIC } from '@parley/runtime/bus';
import { createRelays, quotaCollection } from '@parley/runtime/mongo';
import { openService, type RpcProcess, rpcProcess } from '@parley/runtime/rpc';
import type { EventsConfig } from './config.ts';
import { consumeEvents } from './consume-events.ts';
import type { Dependencies } from './dependencies.ts';
import { rpcs } from './rpc/index.ts';
import { eventsEraser } from './store/account-data.ts';
import { beginning } from './store/beginning.ts';
import { migrations } from './store/migrations.ts';
import { webhookCollection } from './store/webhooks.ts';
import { createWebhooks } from './webhooks/create-webhooks.ts';

/** The events service: the log of what has happened in each account. */
export function createEvents(config: EventsConfig, overrides: Partial<Dependencies> = {}): RpcProcess {
  const { log, metrics, tls, mongo, bus, own } = openService(config, migrations, overrides);
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
    tls,
    components: [
      ...own,
      ...createRelays([webhookCollection(mongo.db), quotaCollection(mongo.db)], {
        ...{ bus, log, metrics, otherTopic: WEBHOOKS_TOPIC },
      }),
      ...webhooks.components,
      consumeEvents(dependencies, () => beginning(mongo.db)),
    ],
    services: [rpcs(dependencies)],
    accountData: { eraser: dependencies.eraser },
    callers: ['gateway'],
  });
}
