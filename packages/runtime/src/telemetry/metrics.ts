import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** Buckets for queued work: training on a large website takes an hour. */
const LONG_SECONDS = [...SECONDS, 120, 300, 600, 1_200, 1_800, 3_600, 7_200];

/**
 * How queued work ended: `failed` is our fault or the content's; `dead` was given up; `refused` is for the owner to
 * fix. The others were put back: `stopped` with its process, `lost` to another worker, `unavailable` because of a
 * database or a store.
 */
export type Outcome = 'ok' | 'failed' | 'dead' | 'refused' | 'stopped' | 'lost' | 'unavailable';

/**
 * What a process measures about itself, for Prometheus: rate, errors and duration of every call, age of every queue.
 */
export interface Metrics {
  /** One gRPC call, as the given side saw it. `code` is gRPC's name of the outcome. */
  rpc(side: 'server' | 'client', service: string, method: string, code: string, seconds: number): void;
  /** One HTTP request. `route` is the template, never the path. */
  http(method: string, route: string, status: number, seconds: number): void;
  /** One message handled by a consumer group, or one round of another queue's work. */
  handled(queue: string, group: string, outcome: Outcome, seconds: number): void;
  /** Watches a queue. Every scrape calls `oldestAge`: seconds, 0 if the queue is empty. */
  queue(name: string, oldestAge: () => Promise<number>): void;
  /** Watches a consumer group. Every scrape asks how many messages it has not handled. */
  consumer(topic: string, group: string, lag: () => Promise<number>): void;
  /** One message was published to the dead topic of `topic`; `group` is the one that gave it up. */
  dead(topic: string, group: string): void;
  /** One of them had not been published by whoever publishes to the topic, or said what is not so. */
  rejected(topic: string, group: string): void;
  /** The text that Prometheus scrapes, and its content type. */
  scrape(): Promise<{ contentType: string; text: string }>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'parley_' });
  const histogram = <const L extends string>(name: string, help: string, labelNames: readonly L[], buckets = SECONDS) =>
    new Histogram<L>({ name, help, labelNames: [...labelNames], buckets, registers: [registry] });

  const rpc = histogram('parley_rpc_seconds', 'gRPC calls', ['side', 'service', 'method', 'code']);
  const http = histogram('parley_http_seconds', 'HTTP requests', ['method', 'route', 'status']);
  const outcomes = ['queue', 'group', 'outcome'] as const;
  const handled = histogram('parley_queue_handled_seconds', 'Messages and jobs worked on', outcomes, LONG_SECONDS);
  const queues = new Map<string, () => Promise<number>>();
  new Gauge({
    name: 'parley_queue_oldest_age_seconds',
    help: 'Age of the oldest entry that waits in a queue',
    labelNames: ['queue'],
    registers: [registry],
    async collect() {
      for (const [queue, oldestAge] of queues) this.set({ queue }, await oldestAge().catch(() => Number.NaN));
    },
  });
  const consumers = new Map<string, { topic: string; group: string; lag: () => Promise<number> }>();
  new Gauge({
    name: 'parley_bus_lag_messages',
    help: 'Messages of a topic that a consumer group has not handled',
    labelNames: ['topic', 'group'],
    registers: [registry],
    async collect() {
      const watched = [...consumers.values()].map(async ({ topic, group, lag }) =>
        this.set({ topic, group }, await lag().catch(() => Number.NaN)),
      );
      await Promise.all(watched);
    },
  });
  const dead = new Counter({
    name: 'parley_bus_dead_total',
    help: 'Messages of a topic that were set aside, by the consumer group that gave them up',
    labelNames: ['topic', 'group'],
    registers: [registry],
  });

  const rejected = new Counter({
    name: 'parley_bus_rejected_total',
    help: 'Messages of a topic that were set aside as forged, by consumer group',
    labelNames: ['topic', 'group'],
    registers: [registry],
  });

  return {
    rpc: (side, service, method, code, seconds) => rpc.observe({ side, service, method, code }, seconds),
    http: (method, route, status, seconds) => http.observe({ method, route, status: String(status) }, seconds),
    handled: (queue, group, outcome, seconds) => handled.observe({ queue, group, outcome }, seconds),
    queue: (name, oldestAge) => void queues.set(name, oldestAge),
    consumer(topic, group, lag) {
      consumers.set(`${topic}/${group}`, { topic, group, lag });
      rejected.inc({ topic, group }, 0);
      dead.inc({ topic, group }, 0); // Start at 0: the step from no series to 1 would trigger no alert.
    },
    dead: (topic, group) => dead.inc({ topic, group }),
    rejected: (topic, group) => rejected.inc({ topic, group }),
    scrape: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}
