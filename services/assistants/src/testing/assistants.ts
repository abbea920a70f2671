import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DescService, MessageInitShape } from '@bufbuild/protobuf';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { createConversations } from '@parley/conversations';
import {
  type AssistantExistsResponse,
  AssistantKind,
  AssistantsService,
} from '@parley/proto/assistants/v1/assistants_service_pb';
import { ConversationsService, type VisitorSchema } from '@parley/proto/conversations/v1/conversations_service_pb';
import { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { createLog, createMetrics } from '@parley/runtime';
import { type Bus, openBus, signedBus } from '@parley/runtime/bus';
import {
  type Call,
  type CallContext,
  contextSigner,
  monotonicNow,
  type RpcClient,
  type RpcProcess,
  randomId,
  rpcClient,
} from '@parley/runtime/rpc';
import { freshDatabase, testCall } from '@parley/runtime/testing';
import { MongoClient } from 'mongodb';
import type { Answerer } from '../answerer/answerer.ts';
import { createExtractiveAnswerer } from '../answerer/extractive.ts';
import type { AssistantsConfig } from '../config.ts';
import { createAssistants } from '../create.ts';
import type { Dependencies } from '../dependencies.ts';
import { assistantCollection, assistantStore } from '../store/assistants.ts';
import { type KnowledgeDouble, startKnowledge } from './knowledge.ts';

const secret = 'the secret of these tests, long enough';
const databases = { assistants: freshDatabase(), conversations: freshDatabase(), bus: freshDatabase() };
const { uri } = databases.bus;
const mongo = new MongoClient(uri);
const running: RpcProcess[] = [];
const clients: AsyncDisposable[] = [];

export const assistantDocs = assistantCollection(mongo.db(databases.assistants.name));
export const store = assistantStore(mongo.db(databases.assistants.name));
/** The threads stored by the conversations service. */
export const threadDocs = mongo.db(databases.conversations.name).collection('threads');

/** The setup of a test file: one engine, one conversations service, one double of the knowledge service. */
export let knowledge: KnowledgeDouble;
export let assistants: RpcClient<typeof AssistantsService>;
export let conversations: RpcClient<typeof ConversationsService>;
export let knowledgeClient: RpcClient<typeof KnowledgeService>;
export let bus: Bus;
/** The current answerer. A test may replace it. */
export const model: { answer: Answerer['answer'] } = { answer: createExtractiveAnswerer().answer };

let config: AssistantsConfig;
const dir = join(tmpdir(), `parley-assistants-${randomId()}`);

beforeAll(async () => {
  const shared = { listen: { host: '127.0.0.1', port: 0 }, secret, logLevel: 'silent', graceMs: 0 };
  const busConfig = { mongodb: { uri, database: databases.bus.name } };
  bus = openBus(busConfig, createLog('test', 'silent'), createMetrics());
  await bus.start?.();
  knowledge = await startKnowledge(secret);
  const conversing = createConversations(
    {
      ...shared,
      name: 'conversations',
      assistants: 'replaced by a double',
      mongodb: { uri, database: databases.conversations.name },
      bus: busConfig,
      quietMs: 0,
      objects: { dir },
      limits: { chats: 10_000, tickets: 10_000, emails: 10_000, mail_bytes: 10_000 },
    },
    { bus, assistants: { assistantExists: async () => ({ exists: false }) as AssistantExistsResponse } },
  );
  await begin(conversing);
  config = {
    ...shared,
    name: 'assistants',
    pepper: secret,
    mongodb: { uri, database: databases.assistants.name },
    bus: busConfig,
    knowledge: knowledge.address,
    conversations: `127.0.0.1:${conversing.port()}`,
    modelTokensPerDay: Infinity,
    replyMs: 60_000,
    replies: { atOnce: 100, atOncePerAssistant: 100 },
  };
  conversations = client(ConversationsService, config.conversations);
  knowledgeClient = client(KnowledgeService, config.knowledge);
  assistants = await startAssistants({ name: 'test/1', answer: (...question) => model.answer(...question) });
});

beforeEach(() => {
  model.answer = createExtractiveAnswerer().answer;
});

afterAll(async () => {
  for (const one of clients) await one[Symbol.asyncDispose]();
  for (const process of running.reverse()) await process.stop();
  await knowledge.stop();
  await bus.stop();
  await mongo.close();
  for (const database of Object.values(databases)) await database.drop();
  await rm(dir, { recursive: true, force: true });
});

async function begin(process: RpcProcess): Promise<void> {
  running.push(process);
  await process.start();
}

function client<S extends DescService>(service: S, address: string) {
  const made = rpcClient(service, { address });
  clients.push(made);
  return made;
}

/** One more replica of the assistants service. */
export async function startAssistants(
  answerer: Answerer,
  more: Partial<AssistantsConfig> = {},
  dependencies: Partial<Dependencies> = {},
): Promise<RpcClient<typeof AssistantsService>> {
  const process = createAssistants({ ...config, ...more }, { bus, answerer, ...dependencies });
  await begin(process);
  address ??= `127.0.0.1:${process.port()}`;
  return client(AssistantsService, `127.0.0.1:${process.port()}`);
}

/** The address of the first replica. */
let address: string | undefined;

/** The bus of the test as a process with a role has it. */
export const busOf = (role: string): Bus => signedBus(bus, { secret, role });

/** Where programs find the services. */
export const system = () => ({ assistants: address!, conversations: config.conversations, secret });

/** Arguments by which a child process becomes a replica. */
export const childArguments = (step: string): string[] => [
  fileURLToPath(new URL('./dying-replica.ts', import.meta.url)),
  JSON.stringify({ config, step }),
];

export const childClient = (port: number) => client(AssistantsService, `127.0.0.1:${port}`);

/** A call as the gateway makes it, or an operator; with a default deadline of 10 seconds. */
export const call = (context: Partial<CallContext> = {}, timeoutMs = 10_000, role = 'gateway'): Call =>
  testCall({ sign: contextSigner(secret, role), deadline: monotonicNow() + timeoutMs, ...context });

/** An account with a chatbot that knows when the shop is open. */
export async function shop() {
  const account = randomId();
  const { chatbot } = await assistants.createChatbot({ title: 'Shop' }, call({ account }).onward());
  const item = knowledge.add(account);
  await attach(account, chatbot!.id, item);
  return { account, chatbot: chatbot!, item };
}

const kind = AssistantKind.CHATBOT;

export const attach = (account: string, assistantId: string, knowledgeId: string, to: AssistantKind = kind) =>
  assistants.attachKnowledge({ kind: to, assistantId, knowledgeId }, call({ account }).onward());

export const attached = async (account: string, assistantId: string) =>
  (await assistants.listAttachedKnowledge({ kind, assistantId }, call({ account }).onward())).items.map((i) => i.id);

export interface Asking {
  message?: string;
  session?: string;
  operation?: string;
  replica?: RpcClient<typeof AssistantsService>;
  timeoutMs?: number;
  signal?: AbortSignal;
  visitor?: MessageInitShape<typeof VisitorSchema>;
}

export function ask(
  { account, chatbot }: Pick<Awaited<ReturnType<typeof shop>>, 'account' | 'chatbot'>,
  { message = QUESTION, session = '', operation = randomId(), replica = assistants, visitor, ...how }: Asking = {},
) {
  const { contextValues, timeoutMs } = call({ account, operation }, how.timeoutMs).onward();
  return replica.reply(
    { kind, assistantId: chatbot.id, sessionId: session, message, ...(visitor && { visitor }) },
    { contextValues: contextValues!, timeoutMs: timeoutMs!, ...(how.signal && { signal: how.signal }) },
  );
}

export const QUESTION = 'When does the shop open?';

/** The messages of a chat, one per line. */
export async function transcript(account: string, chatbotId: string, id: string): Promise<string[]> {
  const { conversation } = await conversations.getChat({ chatbotId, id }, call({ account }).onward());
  return conversation.map(({ role, message }) => `${role === 1 ? 'user' : 'assistant'}: ${message}`);
}
