import { createAssistants, readConfig as readAssistantsConfig } from '@parley/assistants';
import { createAuth, readConfig as readAuthConfig } from '@parley/auth';
import { createConversations, readConfig as readConversationsConfig } from '@parley/conversations';
import { createEmbedders, type Embedders, readEmbeddingConfig } from '@parley/corpus';
import { createGateway, readConfig as readGatewayConfig } from '@parley/gateway';
import { createKnowledge, readConfig as readKnowledgeConfig } from '@parley/knowledge';
import {
  type Component,
  createLog,
  createMetrics,
  type Metrics,
  type ObjectStore,
  openObjects,
  type Process,
  readEnv,
  readObjectsConfig,
} from '@parley/runtime';
import { createTrainer, readConfig as readTrainerConfig } from '@parley/trainer';
import type { Variables } from './config.ts';

const LOOPBACK = '127.0.0.1';

/** What all services of this process have in common: one registry of metrics, one store, one model in memory. */
export interface Shared {
  metrics: Metrics;
  objects: ObjectStore;
  embedders: Embedders;
}

/** A service that can be stopped and started again; it listens on the same port each time. */
export interface Service {
  readonly name: ServiceName;
  /** 0 before the first start, and where it has none. */
  readonly port: number;
  start(): Promise<void>;
  stop(): Promise<void>;
}

type Running = Process & { port(): number };

/**
 * In the order of their needs: each finds those it calls running already. What a service reads from its environment in a
 * cluster, it reads from `variables` here.
 */
const CREATE = {
  auth: (variables, { metrics }) => createAuth(readAuthConfig(readEnv(variables)), { metrics }),
  knowledge: (variables, shared) => createKnowledge(readKnowledgeConfig(readEnv(variables)), shared),
  conversations: (variables, { metrics }) =>
    createConversations(readConversationsConfig(readEnv(variables)), { metrics }),
  assistants: (variables, { metrics }) => createAssistants(readAssistantsConfig(readEnv(variables)), { metrics }),
  trainer: (variables, shared) =>
    Object.assign(createTrainer(readTrainerConfig(readEnv(variables)), shared), { port: () => 0 }),
  gateway: (variables, { metrics }) => {
    const gateway = createGateway(readGatewayConfig(readEnv(variables)), { metrics });
    return Object.assign(gateway, { port: () => gateway.address().port });
  },
} satisfies Record<string, (variables: Variables, shared: Shared) => Running>;

export type ServiceName = keyof typeof CREATE;

type Services = Record<ServiceName, Service>;

/**
 * Starts all services in the order of their needs. `settings` are what they are told, by the names that a cluster uses;
 * `gateway` is what the gateway alone is told; `given` are shared parts that are there already. Each way to end what was
 * started is pushed onto `stops`.
 */
export async function startServices(
  settings: Variables,
  gateway: Variables,
  given: Partial<Shared>,
  stops: (() => Promise<unknown>)[],
  signal: AbortSignal,
): Promise<Services> {
  const shared = { ...createShared(settings), ...given };
  for (const component of [shared.objects, shared.embedders] as Component[]) {
    stops.push(async () => component.stop?.());
    await component.start?.(signal);
  }
  const services: Partial<Services> = {};
  for (const name of Object.keys(CREATE) as ServiceName[]) {
    signal.throwIfAborted();
    const own = name === 'gateway' ? gateway : { HOST: LOOPBACK };
    const variables = { ...settings, ...own, ...addressVariables(services) };
    const service = createService(name, variables, shared);
    services[name] = service;
    stops.push(service.stop);
    await service.start();
  }
  return services as Services;
}

/** host:port of a service of this process. */
export const addressOf = ({ port }: Service): string => `${LOOPBACK}:${port}`;

function createShared(variables: Variables): Shared {
  const env = readEnv(variables);
  return {
    metrics: createMetrics(),
    objects: openObjects(readObjectsConfig(env), createLog('embedded', variables['LOG_LEVEL'])),
    embedders: createEmbedders(readEmbeddingConfig(env)),
  };
}

function createService(name: ServiceName, variables: Variables, shared: Shared): Service {
  let running: Running | undefined;
  let port = Number(variables['PORT'] ?? 0);
  return {
    name,
    get port() {
      return port;
    },
    async start() {
      const own = { ...variables, RPC_PORT: String(port), PORT: String(port) };
      running = CREATE[name](own, shared);
      await running.start();
      port = running.port();
    },
    stop: async () => running?.stop(),
  };
}

/** Tells a service where those are that run already. */
function addressVariables(services: Partial<Services>): Variables {
  const running = Object.values(services).filter(({ port }) => port > 0);
  return Object.fromEntries(running.map((service) => [`${service.name.toUpperCase()}_ADDRESS`, addressOf(service)]));
}
