import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { durationFromMs } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll } from '@jest/globals';
import type { AssistantExistsResponse } from '@parley/proto/assistants/v1/assistants_service_pb';
import { ConversationsService, type VisitorSchema } from '@parley/proto/conversations/v1/conversations_service_pb';
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
import { createConversations } from '../create.ts';
import type { EntryDoc, ThreadDoc } from '../store/model.ts';

type Conversations = RpcClient<typeof ConversationsService>;

export const secret = 'the secret of these tests, long enough';
const own = freshDatabase();
const busDatabase = freshDatabase();
const mongo = new MongoClient(own.uri);

const running: RpcProcess[] = [];
const clients: AsyncDisposable[] = [];
let bus: Bus;
export let conversations: Conversations;
/** The service's database. */
export const database = () => mongo.db(own.name);
export const threads = mongo.db(own.name).collection<ThreadDoc>('threads');
export const entries = mongo.db(own.name).collection<EntryDoc>('entries');

const { uri } = own;
const dir = join(tmpdir(), `parley-conversations-${randomId()}`);
const config = {
  name: 'conversations',
  listen: { host: '127.0.0.1', port: 0 },
  secret,
  assistants: 'replaced by a double',
  mongodb: { uri, database: own.name },
  bus: { mongodb: { uri, database: busDatabase.name } },
  logLevel: 'silent',
  graceMs: 0,
  quietMs: 0,
  mailDomain: 'mail.example',
  objects: { dir },
  limits: { chats: 10_000, tickets: 10_000, emails: 10_000, mail_bytes: 10_000 },
};

beforeAll(async () => {
  bus = openBus(config.bus, createLog('test', 'silent'), createMetrics());
  await bus.start();
  conversations = await startConversations();
});

afterAll(async () => {
  for (const client of clients) await client[Symbol.asyncDispose]();
  for (const process of running) await process.stop();
  await bus.stop();
  await mongo.close();
  await Promise.all([own.drop(), busDatabase.drop(), rm(dir, { recursive: true, force: true })]);
});

/** One more replica of the service. */
export async function startConversations(): Promise<Conversations> {
  const assistantExists = async ({ id = '' }) => ({ exists: existing.has(id) }) as AssistantExistsResponse;
  const process = createConversations(config, { bus, assistants: { assistantExists } });
  running.push(process);
  await process.start();
  const client = rpcClient(ConversationsService, { address: `127.0.0.1:${process.port()}` });
  clients.push(client);
  return client;
}

/** The assistants that their service says exist. */
export const existing = new Set<string>();

/** The bus that the service publishes to, for anyone who can reach it. */
export const busOfTest = (): Bus => bus;
/** The same for a process with a role. */
export const busOf = (role: string): Bus => signedBus(bus, { secret, role });

/** A call as the assistants service makes it; with a default deadline of 5 seconds. */
export const call = (context: Partial<CallContext> = {}, timeoutMs = 5_000): Call =>
  testCall({ sign: contextSigner(secret, 'assistants'), deadline: monotonicNow() + timeoutMs, ...context });

export interface Asking {
  account?: string;
  assistant?: string;
  session?: string;
  question?: string;
  operation?: string;
  leaseMs?: number;
  timeoutMs?: number;
  signal?: AbortSignal;
  visitor?: MessageInitShape<typeof VisitorSchema>;
  replica?: Conversations;
}

/** Asks a question. Returns the claim or the answer, and where it was asked. */
export async function ask(asking: Asking = {}) {
  const { account = randomId(), assistant = randomId(), session = '', question = 'Why?', leaseMs = 30_000 } = asking;
  const { operation = randomId(), replica = conversations, timeoutMs, signal, visitor } = asking;
  const { outcome, threadId, sessionId, history } = await replica.askQuestion(
    {
      assistantId: assistant,
      sessionId: session,
      question,
      lease: durationFromMs(leaseMs),
      ...(visitor && { visitor }),
    },
    { ...call({ account, operation }, timeoutMs).onward(), ...(signal && { signal }) },
  );
  const [claim, given] = [
    outcome.case === 'claim' ? outcome.value : undefined,
    outcome.case === 'answer' ? outcome.value : undefined,
  ];
  return { account, assistant, operation, thread: threadId, session: sessionId, history, claim, given };
}

export type Asked = Awaited<ReturnType<typeof ask>>;
type Claimed = Pick<Asked, 'account' | 'claim'>;

export async function answer({ account, claim }: Claimed, message: string, replica = conversations) {
  const sources = [{ n: 1, title: 'T', url: 'https://t.example' }];
  const stored = await replica.answerQuestion(
    { claim: claim!, answer: { message, sources } },
    call({ account }).onward(),
  );
  return stored.answer!.message;
}

export const extend = ({ account, claim }: Claimed, leaseMs: number) =>
  conversations.extendClaim({ claim: claim!, lease: durationFromMs(leaseMs) }, call({ account }).onward());

export const fail = ({ account, claim }: Claimed, replica = conversations) =>
  replica.failQuestion({ claim: claim! }, call({ account }).onward());

/** A session with one answered question. */
export async function session() {
  const asked = await ask({ question: 'q0' });
  await answer(asked, 'a0');
  return { account: asked.account, assistant: asked.assistant, session: asked.session, thread: asked.thread };
}

/** The messages, one per line. */
export async function transcript({ account, assistant, thread }: Pick<Asked, 'account' | 'assistant' | 'thread'>) {
  const { conversation } = await conversations.getChat(
    { chatbotId: assistant, id: thread },
    call({ account }).onward(),
  );
  return conversation.map(({ role, message }) => `${role === 1 ? 'user' : 'assistant'}: ${message}`);
}

/** The thread as stored. */
export const stored = async (id: string): Promise<ThreadDoc> => (await threads.findOne({ _id: id }))!;

/** Expires the claim in a thread now. */
export const endLease = (id: string) => threads.updateOne({ _id: id }, { $set: { 'pending.until': new Date(0) } });
