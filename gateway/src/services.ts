import type { DescService } from '@bufbuild/protobuf';
import { AssistantsService } from '@parley/proto/assistants/v1/assistants_service_pb';
import { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import { EventsService } from '@parley/proto/events/v1/events_service_pb';
import { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import type { Component, Log, Metrics, RootSecret } from '@parley/runtime';
import { type Call, contextSigner, type RpcClient, type RpcTls, rpcClient } from '@parley/runtime/rpc';

/** Every service that the gateway calls. The name gives its client in `Services` and its setting, `<NAME>_ADDRESS`. */
export const SERVICES = {
  auth: AuthService,
  knowledge: KnowledgeService,
  assistants: AssistantsService,
  conversations: ConversationsService,
  events: EventsService,
} as const satisfies Record<string, DescService>;

export type ServiceName = keyof typeof SERVICES;

/** host:port of each service. */
export type Addresses = Record<ServiceName, string>;

/** A client of each service. */
export type Services = { [S in ServiceName]: RpcClient<(typeof SERVICES)[S]> };

/** The services on behalf of one request: every call carries its context, deadline and signal. */
export type BoundServices = { [S in ServiceName]: Bound<Services[S]> };

type Bound<Client> = {
  [M in keyof Client]: Client[M] extends (request: infer Request, ...rest: never[]) => infer Response
    ? (request: Request) => Response
    : never;
};

/** One value for each service. */
export function forEachService<T>(make: (name: ServiceName) => T): Record<ServiceName, T> {
  const names = Object.keys(SERVICES) as ServiceName[];
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<ServiceName, T>;
}

/** Clients connect on first use, so the gateway can start before any service. */
export function openServices(addresses: Addresses, tls: RpcTls | undefined, log: Log, metrics: Metrics) {
  const services = forEachService<AsyncDisposable>((name) =>
    rpcClient<DescService>(SERVICES[name], { address: addresses[name], tls, log, observe: metrics }),
  ) as Services;
  const component: Component = {
    name: 'services',
    async stop() {
      await Promise.all(Object.values(services).map((client) => client[Symbol.asyncDispose]()));
    },
  };
  return { services, component };
}

/** Signs the context of calls as the gateway. */
export const gatewaySigner = (secret: RootSecret) => contextSigner(secret, 'gateway');

export const bindServices = (services: Services, call: Call): BoundServices =>
  forEachService((name) => bind<object>(services[name], call)) as BoundServices;

type Method = (request: unknown, options: ReturnType<Call['onward']>) => unknown;

const bind = <Client extends object>(client: Client, call: Call): Bound<Client> =>
  new Proxy(client, {
    get: (target, name) => (request: unknown) => (target as Record<typeof name, Method>)[name]!(request, call.onward()),
  }) as Bound<Client>;
