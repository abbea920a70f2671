import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createAssistants, readConfig as readAssistantsConfig } from '@parley/assistants';
import { createAuth, readConfig as readAuthConfig } from '@parley/auth';
import { createConversations, readConfig as readConversationsConfig } from '@parley/conversations';
import { createEmbedders, type Embedders, readEmbeddingConfig } from '@parley/corpus';
import { createEvents, readConfig as readEventsConfig } from '@parley/events';
import { createGateway, readConfig as readGatewayConfig } from '@parley/gateway';
import { createKnowledge, readConfig as readKnowledgeConfig } from '@parley/knowledge';
import { createMail, readConfig as readMailConfig } from '@parley/mail';
import {
  type Component,
  createLog,
  createMetrics,
  createOpsServer,
  type Metrics,
  type OpsConfig,
  type Process,
  readEnv,
  readLogConfig,
  readObjectsConfig,
  readOps,
  VERSION,
} from '@parley/runtime';
import { type ObjectStore, openObjects } from '@parley/runtime/objects';
import { createTrainer, readConfig as readTrainerConfig } from '@parley/trainer';
import { addressVariable, factsOf, PROCESS_NAMES, type ProcessName, RPC_NAMES, type RpcName } from '../../processes.ts';
import type { Variables } from './config.ts';

const LOOPBACK = '127.0.0.1';

export type ServiceName = ProcessName;

/** Dependencies that all services of this process share: one metrics registry, one object store, one model in memory. */
export interface Shared {
  metrics: Metrics;
  objects: ObjectStore;
  embedders: Embedders;
}

/** A service that can be stopped and started again; it listens on the same port each time. */
export interface Service {
  readonly name: ServiceName;
  /** 0 before the first start, or if it listens on none. */
  readonly port: number;
  /** Rejects with a sentence if the service can't continue after it has started; never resolves. */
  readonly failed: Promise<never>;
  start(): Promise<void>;
  /** Why it can't serve now; empty when it can. */
  unready(): Promise<string[]>;
  /** Also aborts a start in progress. */
  stop(): Promise<void>;
}

type Running = Process & { port(): number };

/** How to create each service. `variables` stand in for its environment in a cluster. */
const CREATE: Record<ServiceName, (variables: Variables, shared: Shared) => Running> = {
  auth: (variables, { metrics }) => createAuth(readAuthConfig(readEnv(variables)), { metrics }),
  knowledge: (variables, shared) => createKnowledge(readKnowledgeConfig(readEnv(variables)), shared),
  conversations: (variables, { metrics, objects }) =>
    createConversations(readConversationsConfig(readEnv(variables)), { metrics, objects }),
  assistants: (variables, { metrics }) => createAssistants(readAssistantsConfig(readEnv(variables)), { metrics }),
  events: (variables, { metrics }) => createEvents(readEventsConfig(readEnv(variables)), { metrics }),
  trainer: (variables, shared) =>
    Object.assign(createTrainer(readTrainerConfig(readEnv(variables)), shared), { port: () => 0 }),
  gateway: (variables, { metrics, objects }) => {
    const gateway = createGateway(readGatewayConfig(readEnv(variables)), { metrics, objects });
    return Object.assign(gateway, { port: () => gateway.address().port });
  },
  mail: (variables, { metrics, objects }) =>
    createMail(readMailConfig(readEnv({ ...variables, MAIL_PORT: variables['PORT'] })), { metrics, objects }),
};

type Services = Record<ServiceName, Service>;

/**
 * Starts all services, each after those it calls. `settings` are their variables, named as in a cluster; `ownOf` gives those of
 * one service, which may depend on services that run already; `given` are shared parts that already exist. Pushes a function
 * onto `stops` for everything that it starts.
 */
export async function startServices(
  settings: Variables,
  ownOf: (name: ServiceName, started: Partial<Services>) => Variables,
  given: Partial<Shared>,
  stops: (() => Promise<unknown>)[],
  signal: AbortSignal,
): Promise<Services> {
  const shared = { ...createShared(settings), ...given };
  shared.metrics.dependency(shared.objects.name, shared.objects.ready);
  for (const component of [shared.objects, shared.embedders] as Component[]) {
    stops.push(async () => component.stop?.());
    await component.start?.(signal);
  }
  const services: Partial<Services> = {};
  const held = await holdPorts();
  stops.push(() => Promise.all(Object.values(held).map(({ release }) => release())));
  const later = Object.fromEntries(
    Object.entries(held).map(([name, { port }]) => [addressVariable(name as RpcName), `${LOOPBACK}:${port}`]),
  );
  for (const name of PROCESS_NAMES) {
    signal.throwIfAborted();
    // The services of one process can't share one port.
    const own = {
      HOST: LOOPBACK,
      OPS_PORT: undefined,
      RPC_TLS_DIR: undefined,
      HTTP_TLS_CERT: undefined,
      HTTP_TLS_KEY: undefined,
      ...(held[name] && { PORT: String(held[name].port) }),
      ...ownOf(name, services),
    };
    const variables = { ...settings, ...own, ...addressVariables(services), ...later };
    await held[name]?.release();
    const service = createService(name, variables, shared);
    services[name] = service;
    stops.push(service.stop);
    await startUnless(signal, service);
  }
  const ops = readOps(readEnv({ ...settings, HOST: LOOPBACK }));
  if (ops) await startOps(ops, Object.values(services), shared.metrics, stops);
  return services as Services;
}

/** The operations port of all services together. */
async function startOps(ops: OpsConfig, services: Service[], metrics: Metrics, stops: (() => Promise<unknown>)[]) {
  metrics.build(VERSION, ops.commit ?? 'unknown');
  const unready = async () => (await Promise.all(services.map((service) => service.unready()))).flat();
  const server = createOpsServer({ ...ops, metrics, unready });
  await server.start?.(new AbortController().signal);
  stops.push(async () => server.stop?.());
}

interface HeldPort {
  port: number;
  release(): Promise<unknown>;
}

/** A port for each service that others ask, who start earlier and have to know it. Released just before the service starts. */
async function holdPorts(): Promise<Partial<Record<ServiceName, HeldPort>>> {
  const asked = new Set(PROCESS_NAMES.flatMap((name) => factsOf(name).asks ?? []));
  const held = [...asked].map(async (name) => {
    const server = createServer((socket) => socket.destroy()).listen(0, LOOPBACK);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return [name, { port, release: () => new Promise((resolve) => server.close(resolve)) }];
  });
  return Object.fromEntries(await Promise.all(held));
}

/** Stops a service that is waiting for a server when the signal aborts. */
async function startUnless(signal: AbortSignal, service: Service): Promise<void> {
  const stop = () => void service.stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await service.start();
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** host:port of a service of this process. */
export const addressOf = ({ port }: Service): string => `${LOOPBACK}:${port}`;

function createShared(variables: Variables): Shared {
  const env = readEnv(variables);
  const { logLevel, logFormat } = readLogConfig(env);
  const metrics = createMetrics();
  return {
    metrics,
    objects: openObjects(readObjectsConfig(env), createLog('embedded', logLevel, logFormat), metrics),
    embedders: createEmbedders(readEmbeddingConfig(env)),
  };
}

function createService(name: ServiceName, variables: Variables, shared: Shared): Service {
  let running: Running | undefined;
  let port = Number(variables['PORT'] ?? 0);
  let fail: (reason: unknown) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => {}); // Prevents an unhandled rejection before anyone awaits it.
  return {
    name,
    failed,
    get port() {
      return port;
    },
    async start() {
      const own = { ...variables, RPC_PORT: String(port), PORT: String(port) };
      running = CREATE[name](own, shared);
      running.failed.catch(fail);
      await running.start();
      port = running.port();
    },
    unready: async () => running?.unready() ?? ['starting'],
    stop: async () => running?.stop(),
  };
}

/** The addresses of the services that are already running. */
function addressVariables(services: Partial<Services>): Variables {
  const entries = RPC_NAMES.map((name) => [addressVariable(name), services[name] && addressOf(services[name])]);
  return Object.fromEntries(entries);
}
