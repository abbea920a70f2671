import type { DescService } from '@bufbuild/protobuf';
import { AssistantsService } from '@parley/proto/assistants/v1/assistants_service_pb';
import { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { type Call, type Component, type Log, type Metrics, rpcClient } from '@parley/runtime';
import type { Addresses } from './config.ts';

/** A client of each service. */
export type Services = ReturnType<typeof openServices>['services'];

/** The services on behalf of one request: its context, deadline and signal go with every call. */
export type BoundServices = { [S in keyof Services]: Bound<Services[S]> };

type Bound<Client> = {
  [M in keyof Client]: Client[M] extends (request: infer Request, ...rest: never[]) => infer Response
    ? (request: Request) => Response
    : never;
};

/** Clients connect when they are first used, so no service needs to be there when the gateway starts. */
export function openServices(addresses: Addresses, log: Log, metrics: Metrics) {
  const client = <S extends DescService>(service: S, address: string) =>
    rpcClient(service, { address, log, observe: metrics });
  const services = {
    auth: client(AuthService, addresses.auth),
    knowledge: client(KnowledgeService, addresses.knowledge),
    assistants: client(AssistantsService, addresses.assistants),
    conversations: client(ConversationsService, addresses.conversations),
  };
  const component: Component = {
    name: 'services',
    async stop() {
      await Promise.all(Object.values(services).map((open) => open[Symbol.asyncDispose]()));
    },
  };
  return { services, component };
}

export const bindServices = ({ auth, knowledge, assistants, conversations }: Services, call: Call): BoundServices => ({
  auth: bind(auth, call),
  knowledge: bind(knowledge, call),
  assistants: bind(assistants, call),
  conversations: bind(conversations, call),
});

type Method = (request: unknown, options: ReturnType<Call['onward']>) => unknown;

const bind = <Client extends object>(client: Client, call: Call): Bound<Client> =>
  new Proxy(client, {
    get: (target, name) => (request: unknown) => (target as Record<typeof name, Method>)[name]!(request, call.onward()),
  }) as Bound<Client>;
