import { type Component, isTurning, type Log, type Metrics } from '@parley/runtime';
import { createPurge } from '@parley/runtime/mongo';
import { createOutboundClients } from '@parley/runtime/outbound';
import type { Db } from 'mongodb';
import type { EventsConfig } from '../config.ts';
import type { Dependencies } from '../dependencies.ts';
import { TIMING } from '../domain/progress.ts';
import { backlogStore } from '../store/backlog.ts';
import { deliveryStore } from '../store/deliveries.ts';
import { eventStore } from '../store/events.ts';
import { deliveryQueue } from '../store/queue.ts';
import { webhookCollection, webhookStore, webhookUsage } from '../store/webhooks.ts';
import { createAnnounce } from './announce.ts';
import { createDeliverNow } from './deliver-now.ts';
import { createDispatcher } from './dispatcher.ts';
import { createResealing } from './resealing.ts';
import { createSecrets } from './secrets.ts';
import { createSend } from './sender.ts';

const USER_AGENT = 'Parley-Webhooks/1.0';
/** A retry of the operation that deleted a webhook finds its tombstone for so long. */
const TOMBSTONE_MS = 24 * 3_600_000;

/** The log of events, and what delivers them to endpoints. */
export function createWebhooks(
  { secret, kept, webhooks: { most, allow, timeoutMs, concurrency, endpoints } }: EventsConfig,
  parts: { db: Db; log: Log; metrics: Metrics } & Partial<Pick<Dependencies, 'timing'>>,
): {
  dependencies: Omit<Dependencies, 'metrics' | 'bus' | 'eraser' | 'notifier'>;
  components: Component[];
} {
  const { db, log, metrics, timing = TIMING } = parts;
  const collection = webhookCollection(db);
  const usage = webhookUsage(db, most);
  const clients = createOutboundClients({ allow, userAgent: USER_AGENT });
  const secrets = createSecrets(secret);
  const queue = deliveryQueue(collection, timing);
  const deliveries = deliveryStore(db);
  const webhooks = webhookStore(db, usage);
  const backlog = backlogStore(db);
  const delivering = {
    ...{ backlog, queue, deliveries, webhooks, metrics, log, timing, concurrency },
    send: createSend(clients, secrets, timeoutMs),
  };
  const dispatcher = createDispatcher(delivering, { endpoints, timeoutMs });
  metrics.queue('webhooks', queue.waiting);
  // Whoever dies before they have heard of it is given the events again.
  const events = eventStore(db, kept, async (account, last, added) => {
    await queue.notify(account, last, [...new Set(added.map(({ type }) => type))]);
    dispatcher.wake();
  });
  const purge = createPurge({
    collection,
    settleMs: TOMBSTONE_MS,
    log,
    purge: ({ account, _id }) => deliveries.drop(account, _id),
  });
  return {
    dependencies: {
      ...{ webhooks, webhookUsage: usage, deliveries, backlog, secrets, outboundAllow: allow, timing },
      events,
      announce: createAnnounce(events, queue, dispatcher.wake),
      deliverNow: createDeliverNow(delivering),
    },
    components: [
      { name: 'outbound clients', stop: () => clients.close() },
      dispatcher,
      purge,
      ...(isTurning(secret) ? [createResealing({ webhooks: collection, secrets, log })] : []),
    ],
  };
}
