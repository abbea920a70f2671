import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { within } from '../process.ts';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** Buckets for queued work: training on a large website takes an hour. */
const LONG_SECONDS = [...SECONDS, 120, 300, 600, 1_200, 1_800, 3_600, 7_200];

/** How long a scrape waits for a dependency. */
const PROBE_MS = 2_000;

/**
 * How queued work ended: `failed` is our fault or the content's; `dead` was given up; `refused` is for the owner to
 * fix. The others were put back: `stopped` with its process, `lost` to another worker, `unavailable` because of a
 * database or a store.
 */
export type Outcome = 'ok' | 'failed' | 'dead' | 'refused' | 'stopped' | 'lost' | 'unavailable';

/** A step of an answer: the model rewrites the question, what was found, what the model wrote, and the check of it. */
export type Step = 'rewrite' | 'search' | 'model' | 'check';

/** Where tokens are spent that are paid for. */
export type TokenKind = 'model' | 'embedding';

/** The size and age of a queue. */
export interface Waiting {
  depth: number;
  /** Seconds; 0 if the queue is empty. */
  oldestAge: number;
}

/**
 * The metrics of a process, for Prometheus: rate, errors and duration of every call, age of every queue.
 */
export interface Metrics {
  /** One gRPC call, as the given side saw it. `code` is gRPC's name of the outcome. */
  rpc(side: 'server' | 'client', service: string, method: string, code: string, seconds: number): void;
  /** One HTTP request. `route` is the template, never the path. */
  http(method: string, route: string, status: number, seconds: number): void;
  /** One message handled by a consumer group, or one round of another queue's work. */
  handled(queue: string, group: string, outcome: Outcome, seconds: number): void;
  /** Watches a queue. Every scrape asks what waits in it. */
  queue(name: string, waiting: () => Promise<Waiting>): void;
  /** Watches the outboxes of a collection, in the same way. */
  outbox(collection: string, waiting: () => Promise<Waiting>): void;
  /** One step of an answer. */
  step(step: Step, seconds: number): void;
  /** Tokens that were used. */
  tokens(kind: TokenKind, tokens: number): void;
  /** Watches a server or a store. Every scrape calls `ready`, which rejects if it is unavailable. */
  dependency(name: string, ready: () => Promise<unknown>): void;
  /** Notes whether a server that nobody probes has answered its latest request. */
  answered(dependency: string, isUp: boolean): void;
  /** Watches the local copies of builds. */
  indexCache(bytes: () => number): void;
  /** Notes what this process was built from. */
  build(version: string, commit: string): void;
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
  const queue = watchWaiting(registry, {
    label: 'queue',
    depth: ['parley_queue_depth', 'Entries that wait in a queue'],
    age: ['parley_queue_oldest_age_seconds', 'Age of the oldest entry that waits in a queue'],
  });
  const outbox = watchWaiting(registry, {
    label: 'collection',
    depth: ['parley_outbox_events', 'Events that wait in the outboxes of a collection; counting ends at a limit'],
    age: ['parley_outbox_oldest_age_seconds', 'Age of the oldest event that waits in them'],
  });
  const step = histogram('parley_answer_step_seconds', 'Steps of an answer', ['step']);
  const counter = <const L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter<L>({ name, help, labelNames: [...labelNames], registers: [registry] });
  const tokens = counter('parley_tokens_total', 'Tokens used of servers that are paid for', ['kind']);
  const dependencies = new Map<string, () => Promise<unknown>>();
  const up = new Gauge({
    name: 'parley_dependency_up',
    help: 'Whether a server or a store that this process needs is available',
    labelNames: ['dependency'],
    registers: [registry],
    async collect() {
      const asked = [...dependencies].map(async ([dependency, ready]) => {
        const isUp = await within(PROBE_MS, ready(), 'late').then(
          () => 1,
          () => 0,
        );
        this.set({ dependency }, isUp);
      });
      await Promise.all(asked);
    },
  });
  const caches: (() => number)[] = [];
  new Gauge({
    name: 'parley_index_cache_bytes',
    help: 'Size of the local copies of builds',
    registers: [registry],
    collect() {
      // Services of one process share their folder.
      if (caches.length > 0) this.set(Math.max(...caches.map((bytes) => bytes())));
    },
  });
  const built = new Gauge({
    name: 'parley_build_info',
    help: 'What this process was built from; always 1',
    labelNames: ['version', 'commit'],
    registers: [registry],
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
  const [topicAndGroup, by] = [['topic', 'group'] as const, 'by the consumer group that gave them up'];
  const dead = counter('parley_bus_dead_total', `Dead letters of a topic, ${by}`, topicAndGroup);
  const rejected = counter('parley_bus_rejected_total', `Those of them that were forged, ${by}`, topicAndGroup);

  return {
    rpc: (side, service, method, code, seconds) => rpc.observe({ side, service, method, code }, seconds),
    http: (method, route, status, seconds) => http.observe({ method, route, status: String(status) }, seconds),
    handled: (queue, group, outcome, seconds) => handled.observe({ queue, group, outcome }, seconds),
    queue,
    outbox,
    step: (name, seconds) => step.observe({ step: name }, seconds),
    tokens: (kind, used) => tokens.inc({ kind }, used),
    dependency: (name, ready) => void dependencies.set(name, ready),
    answered: (dependency, isUp) => up.set({ dependency }, isUp ? 1 : 0),
    indexCache: (bytes) => void caches.push(bytes),
    build: (version, commit) => built.set({ version, commit }, 1),
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

/** Two gauges of what waits, by a label. Each scrape asks all that are watched at once; a failure is no number. */
function watchWaiting(
  registry: Registry,
  { label, depth, age }: { label: string; depth: [name: string, help: string]; age: [name: string, help: string] },
): (name: string, waiting: () => Promise<Waiting>) => void {
  const watched = new Map<string, () => Promise<Waiting>>();
  const gauge = ([name, help]: [string, string]) => ({ name, help, labelNames: [label], registers: [registry] });
  let asked: Promise<[name: string, waiting: Waiting][]> = Promise.resolve([]);
  const failed = { depth: Number.NaN, oldestAge: Number.NaN };
  const ask = () =>
    Promise.all(
      [...watched].map(async ([name, waiting]) => [name, await waiting().catch(() => failed)] as [string, Waiting]),
    );
  // Collected in the order of their making, so the second gauge shows what the first has asked for.
  new Gauge({
    ...gauge(depth),
    async collect() {
      asked = ask();
      for (const [name, waiting] of await asked) this.set({ [label]: name }, waiting.depth);
    },
  });
  new Gauge({
    ...gauge(age),
    async collect() {
      for (const [name, waiting] of await asked) this.set({ [label]: name }, waiting.oldestAge);
    },
  });
  return (name, waiting) => void watched.set(name, waiting);
}
