import { durationFromMs } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll } from '@jest/globals';
import { freshDatabase } from '@parley/embedded/testing';
import { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import { createLog, createMetrics } from '@parley/runtime';
import { type Bus, openBus } from '@parley/runtime/bus';
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
import { testCall } from '@parley/runtime/testing';
import { MongoClient } from 'mongodb';
import { createConversations } from '../create.ts';
import type { EntryDoc, ThreadDoc } from '../store/model.ts';

type Conversations = RpcClient<typeof ConversationsService>;

const secret = 'the secret of these tests, long enough';
const own = freshDatabase();
const busDatabase = freshDatabase();
const mongo = new MongoClient(own.uri);

const running: RpcProcess[] = [];
const clients: AsyncDisposable[] = [];
let bus: Bus;
export let conversations: Conversations;
/** What the service has stored. */
export const database = () => mongo.db(own.name);
export const threads = mongo.db(own.name).collection<ThreadDoc>('threads');
export const entries = mongo.db(own.name).collection<EntryDoc>('entries');

const { uri } = own;
const config = {
  name: 'conversations',
  listen: { host: '127.0.0.1', port: 0 },
  secret,
  mongodb: { uri, database: own.name },
  bus: { mongodb: { uri, database: busDatabase.name } },
  logLevel: 'silent',
  graceMs: 0,
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
  await Promise.all([own.drop(), busDatabase.drop()]);
});

/** One more replica of the service. */
export async function startConversations(): Promise<Conversations> {
  const process = createConversations(config, { bus });
  running.push(process);
  await process.start();
  const client = rpcClient(ConversationsService, { address: `127.0.0.1:${process.port()}` });
  clients.push(client);
  return client;
}

/** The bus that the service publishes to. */
export const busOfTest = (): Bus => bus;

/** A call as the assistants service makes it; with a default deadline of 5 seconds. */
export const call = (context: Partial<CallContext> = {}, timeoutMs = 5_000): Call =>
  testCall({ sign: contextSigner(secret).sign, deadline: monotonicNow() + timeoutMs, ...context });

export interface Asking {
  account?: string;
  assistant?: string;
  session?: string;
  question?: string;
  operation?: string;
  leaseMs?: number;
  timeoutMs?: number;
  signal?: AbortSignal;
  replica?: Conversations;
}

/** Asks a question. Returns the claim or the answer, and where it was asked. */
export async function ask(asking: Asking = {}) {
  const { account = randomId(), assistant = randomId(), session = '', question = 'Why?', leaseMs = 30_000 } = asking;
  const { operation = randomId(), replica = conversations, timeoutMs, signal } = asking;
  const { outcome, threadId, sessionId, history } = await replica.askQuestion(
    { assistantId: assistant, sessionId: session, question, lease: durationFromMs(leaseMs) },
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
