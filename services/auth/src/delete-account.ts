import { AssistantsService } from '@parley/proto/assistants/v1/assistants_service_pb';
import type { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import { EventsService } from '@parley/proto/events/v1/events_service_pb';
import { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { AppError, notFound } from '@parley/runtime';
import {
  type callAs,
  codeOf,
  isUuid,
  type RpcClient,
  type RpcTls,
  rpcClient,
  type TransportOptions,
} from '@parley/runtime/rpc';

/** The services that hold data of accounts, in the order in which it is deleted: assistants first, so that none replies,
 * and last what the others tell of it. */
export const DATA_SERVICES = ['assistants', 'conversations', 'knowledge', 'events'] as const;

export type DataService = (typeof DATA_SERVICES)[number];

/** host:port of each. */
export type DataAddresses = Record<DataService, string>;

const CLIENTS = {
  assistants: (options: TransportOptions) => rpcClient(AssistantsService, options),
  conversations: (options: TransportOptions) => rpcClient(ConversationsService, options),
  knowledge: (options: TransportOptions) => rpcClient(KnowledgeService, options),
  events: (options: TransportOptions) => rpcClient(EventsService, options),
} as const;

export interface Deleting {
  auth: RpcClient<typeof AuthService>;
  tls: RpcTls | undefined;
  addresses: DataAddresses;
  /** Options for one call as the operator. */
  as(): ReturnType<typeof callAs>;
  say(line: string): void;
}

type Part = { deleted: number; done: boolean };

/** Progress is reported after this many documents and files. */
const REPORT_EVERY = 10_000;

/**
 * Deletes an account: ends its keys, then deletes its data in each service, and its name and keys last. Every step is
 * idempotent, so a deletion that was interrupted is resumed by starting it again. What requests in progress still write is
 * erased by the services themselves.
 *
 * @throws AppError `not_found` if there is no such account; `unavailable`, naming the service, if one does not answer.
 */
export async function deleteAccount({ auth, tls, addresses, as, say }: Deleting, given: string): Promise<void> {
  const id = given.toLowerCase();
  if (!isUuid(id)) throw notFound(`There is no account ${given}. An account is named by its id: see list.`);
  const { account } = await named('auth', auth.deleteAccount({ id }, as()));
  say(`Deleting the account ${id}  ${account!.name}`);
  say('Its API keys stop working within ten seconds.');
  for (const service of DATA_SERVICES) {
    const deleted = await deleteData(service, id, { tls, addresses, as, say });
    say(`${service}: ${deleted === 0 ? 'nothing left' : `deleted ${count(deleted)}`}`);
  }
  await named('auth', auth.finishAccountDeletion({ id }, as()));
  say('Deleted.');
}

async function deleteData(
  service: DataService,
  accountId: string,
  { tls, addresses, as, say }: Omit<Deleting, 'auth'>,
) {
  await using client = CLIENTS[service]({ address: addresses[service], tls });
  let deleted = 0;
  for (let reported = 0; ; ) {
    const part = await named<Part>(service, client.deleteAccountData({ accountId }, as()));
    deleted += part.deleted;
    if (part.done) return deleted;
    if (deleted - reported < REPORT_EVERY) continue;
    reported = deleted;
    say(`${service}: deleted ${count(deleted)} so far`);
  }
}

const count = (deleted: number): string => `${deleted.toLocaleString('en')} documents and files`;

/** Names the service that does not answer. */
async function named<T>(service: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!['unavailable', 'deadline_exceeded'].includes(codeOf(error))) throw error;
    const sentence = `The ${service} service does not answer. Run the command again: it goes on from here.`;
    throw new AppError('aborted', sentence, error);
  }
}
