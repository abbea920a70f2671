import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** What a process measures of itself, in Prometheus' terms: rate, errors and duration of every call, age of every queue. */
export interface Metrics {
  /** One gRPC call, as the given side saw it. `code` is gRPC's name of the outcome. */
  rpc(side: 'server' | 'client', service: string, method: string, code: string, seconds: number): void;
  /** One HTTP request. `route` is the template, never the path. */
  http(method: string, route: string, status: number, seconds: number): void;
  /** One message handled by a consumer group, or one round of another queue's work. */
  handled(queue: string, group: string, outcome: 'ok' | 'failed' | 'dead', seconds: number): void;
  /** Watches a queue: `oldestAge` is asked at every scrape, in seconds, 0 where it is empty. */
  queue(name: string, oldestAge: () => Promise<number>): void;
  /** The text that Prometheus scrapes, and its content type. */
  scrape(): Promise<{ contentType: string; text: string }>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'parley_' });
  const histogram = <const L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Histogram<L>({ name, help, labelNames: [...labelNames], buckets: SECONDS, registers: [registry] });

  const rpc = histogram('parley_rpc_seconds', 'gRPC calls', ['side', 'service', 'method', 'code']);
  const http = histogram('parley_http_seconds', 'HTTP requests', ['method', 'route', 'status']);
  const handled = histogram('parley_queue_handled_seconds', 'Messages and jobs worked on', [
    'queue',
    'group',
    'outcome',
  ]);
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

  return {
    rpc: (side, service, method, code, seconds) => rpc.observe({ side, service, method, code }, seconds),
    http: (method, route, status, seconds) => http.observe({ method, route, status: String(status) }, seconds),
    handled: (queue, group, outcome, seconds) => handled.observe({ queue, group, outcome }, seconds),
    queue: (name, oldestAge) => void queues.set(name, oldestAge),
    scrape: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}
