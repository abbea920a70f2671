import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@parley/runtime/testing';
import { startEngine } from '../../deploy/embedded/src/engine/start-engine.ts';
import { startKafka } from '../../deploy/stack/kafka.ts';
import { TEST_KEYS } from '../../deploy/stack/s3-server.ts';
import { freePort } from '../../deploy/stack/server.ts';
import { type ServiceProcess, startServiceProcess } from '../../deploy/stack/service-process.ts';
import { startStack } from '../../deploy/stack/start-stack.ts';
import { startVersitygw } from '../../deploy/stack/versitygw.ts';
import { modelServer } from '../e2e/model-server.ts';
import { openStack } from '../e2e/system.ts';
import type { Stops } from '../e2e/world.ts';
import { firing, scrape } from './alerts.ts';
import type { Labels, Scrape } from './promql.ts';
import { socketOf, startProxy } from './proxy.ts';

const CLOCK_AHEAD = new URL('clock-ahead.mjs', import.meta.url).href;
const READY_WITHIN_MS = 90_000;

/** A server that can be taken away and brought back at the same address. */
interface Movable {
  stop(): Promise<void>;
  /** Starts it, unless it runs, on what is in its directory; with more options, if it takes any. */
  start(...flags: string[]): Promise<void>;
}

function movable(begin: (...flags: string[]) => Promise<{ stop(): Promise<void> }>, stops: Stops): Movable {
  let running: { stop(): Promise<void> } | undefined;
  const stop = async () => {
    await running?.stop();
    running = undefined;
  };
  stops.push(stop);
  return {
    stop,
    async start(...flags) {
      running ??= await begin(...flags);
    },
  };
}

interface Expected {
  labels?: Labels;
  /** A scrape from before. */
  since: Scrape;
  act?(): Promise<unknown>;
  more?: ServiceProcess[];
}

/** All of Parley on servers that tests take away, each service in a process of its own. */
export async function startDrilled(stops: Stops) {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-drills-'));

  stops.push(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
  const [mongoPort, kafkaPort, storePort] = await Promise.all([freePort(), freePort(), freePort()]);
  const model = await modelServer();
  stops.push(async () => model[Symbol.asyncDispose]());
  const engine = await startEngine({ dataDir });
  stops.push(engine.stop);
  const kafkaDir = join(dataDir, 'kafka');
  const mongodb = movable(() => startProxy({ path: socketOf(engine.uri) }, {}, mongoPort), stops);
  const kafka = movable(() => startKafka({ dataDir: kafkaDir, port: kafkaPort }), stops);
  const storeDir = join(dataDir, 'store');
  const store = movable((...flags) => startVersitygw({ dataDir: storeDir, port: storePort, flags }), stops);
  await Promise.all([mongodb.start(), kafka.start(), store.start()]);
  const stack = await startStack({
    dataDir,
    trainers: 1,
    variables: {
      MONGODB_URI: `mongodb://127.0.0.1:${mongoPort}/?directConnection=true&w=1&journal=true`,
      KAFKA_BROKERS: `127.0.0.1:${kafkaPort}`,
      MINIO_ENDPOINT: `http://127.0.0.1:${storePort}`,
      MINIO_ACCESS_KEY: TEST_KEYS.accessKey,
      MINIO_SECRET_KEY: TEST_KEYS.secretKey,
      EMBEDDINGS: 'none',
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_API_KEY: 'sk-of-this-test',
      REPLY_TIMEOUT_SECONDS: '6',
    },
  });
  stops.push(stack.stop);
  const processes = Object.values(stack.processes);
  const { a, mongo } = await openStack(stack, stops);

  return {
    ...{ a, mongo, stack, processes, model, mongodb, kafka, store },
    /** Brings back what a test has left away. */
    async restore() {
      await Promise.all([mongodb.start(), kafka.start(), store.start()]);
    },
    /** Deletes everything that Kafka has, while it is stopped. */
    wipeKafka: () => rm(join(kafkaDir, 'messages'), { recursive: true }),
    /** Acts and scrapes all processes, and these, until the alert fires for something with these labels. */
    async alarm(alert: string, { labels = {}, since, act = async () => {}, more = [] }: Expected): Promise<void> {
      const scrapes = [since];
      await until(
        async () => {
          await act();
          scrapes.push(await scrape([...processes, ...more]));
          return firing(...scrapes)[alert] ?? [];
        },
        (fired) => fired.some((found) => Object.entries(labels).every(([name, value]) => found[name] === value)),
      );
    },
    /** Waits until all processes are ready and no dependency is down. */
    async calm() {
      await until(
        async () => ({
          unready: (await Promise.all(processes.map((each) => each.unready()))).filter(Boolean),
          down: firing(await scrape(processes))['ParleyDependencyDown'],
        }),
        ({ unready, down }) => unready.length === 0 && !down,
        READY_WITHIN_MS,
        100,
      );
    },
    /** Starts one more process whose clock is five minutes ahead of the others'. */
    async startAhead(name: 'gateway' | 'trainer', own: Record<string, string> = {}) {
      const opsPort = await freePort();
      const clock = { NODE_OPTIONS: `--import ${CLOCK_AHEAD}`, CLOCK_AHEAD_MS: String(5 * 60_000) };
      const { variables, logDir, secret, endpoints } = stack;
      const started = await startServiceProcess({
        name: `${name}-ahead`,
        program: `${name === 'gateway' ? name : `services/${name}`}/src/main.ts`,
        variables: {
          ...variables,
          HOST: '127.0.0.1',
          PARLEY_SECRET: secret,
          AUTH_ADDRESS: endpoints.auth,
          KNOWLEDGE_ADDRESS: endpoints.knowledge,
          ASSISTANTS_ADDRESS: endpoints.assistants,
          CONVERSATIONS_ADDRESS: endpoints.conversations,
          EVENTS_ADDRESS: endpoints.events,
          LOG_LEVEL: 'info',
          OPS_PORT: String(opsPort),
          ...own,
          ...clock,
        },
        opsPort,
        logDir,
      });
      stops.push(started.stop);
      return started;
    },
  };
}
