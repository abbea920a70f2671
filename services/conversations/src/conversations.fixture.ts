import { durationFromMs } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll } from '@jest/globals';
import { freshDatabase } from '@parley/embedded/testing';
import { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import {
  type Bus,
  type Call,
  type CallContext,
  contextSigner,
  createLog,
  createMetrics,
  monotonicNow,
  openBus,
  type RpcClient,
  type RpcProcess,
  randomId,
  rpcClient,
} from '@parley/runtime';
import { testCall, until } from '@parley/runtime/testing';
import { MongoClient } from 'mongodb';
import { createConversations } from './create.ts';
import type { ChatDoc, TurnDoc } from './store/model.ts';

type Conversations = RpcClient<typeof ConversationsService>;

const secret = 'the secret of these tests, long enough';
const database = freshDatabase();
const busDatabase = freshDatabase();
const mongo = new MongoClient(database.uri);

const running: RpcProcess[] = [];
const clients: AsyncDisposable[] = [];
let bus: Bus;
export let conversations: Conversations;
export const turns = mongo.db(database.name).collection<TurnDoc>('turns');
export const chats = mongo.db(database.name).collection<ChatDoc>('chats');

const { uri } = database;
const config = {
  name: 'conversations',
  listen: { host: '127.0.0.1', port: 0 },
  secret,
  mongodb: { uri, database: database.name },
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
  await Promise.all([database.drop(), busDatabase.drop()]);
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

/** The bus that the service tells its facts to. */
export const busOfTest = (): Bus => bus;

/** A call as the assistants service makes it; 5 seconds unless told otherwise. */
export const call = (context: Partial<CallContext> = {}, timeoutMs = 5_000): Call =>
  testCall({ sign: contextSigner(secret).sign, deadline: monotonicNow() + timeoutMs, ...context });

export interface Asked {
  account?: string;
  assistant?: string;
  session?: string;
  question?: string;
  operation?: string;
  leaseMs?: number;
  timeoutMs?: number;
}

/**
 * Asks, and gives back what is needed to go on: the turn, its owner's account and its assistant. Waits for the chat,
 * which the service makes beside the answer of a first question.
 */
export async function ask(asked: Asked = {}) {
  const { account = randomId(), assistant = randomId(), session = '', question = 'Why?', leaseMs = 30_000 } = asked;
  const { turn, history } = await conversations.beginTurn(
    { assistantId: assistant, sessionId: session, question, lease: durationFromMs(leaseMs) },
    call({ account, operation: asked.operation ?? randomId() }, asked.timeoutMs).onward(),
  );
  await until(async () => (await chats.countDocuments({ _id: turn!.threadId })) === 1);
  return { account, assistant, turn: turn!, session: turn!.sessionId, history };
}

export type Asking = Awaited<ReturnType<typeof ask>>;

export const answer = ({ account, turn }: Pick<Asking, 'account' | 'turn'>, message: string, replica = conversations) =>
  replica.answerTurn(
    {
      turnId: turn.id,
      fence: turn.fence,
      answer: { message, sources: [{ n: 1, title: 'T', url: 'https://t.example' }] },
    },
    call({ account }).onward(),
  );

export const abandon = ({ account, turn }: Pick<Asking, 'account' | 'turn'>, replica = conversations) =>
  replica.abandonTurn({ turnId: turn.id, fence: turn.fence }, call({ account }).onward());

/** What was said, one line each. */
export async function transcript({ account, assistant, turn }: Pick<Asking, 'account' | 'assistant' | 'turn'>) {
  const { conversation } = await conversations.getChat(
    { chatbotId: assistant, id: turn.threadId },
    call({ account }).onward(),
  );
  return conversation.map(({ role, message }) => `${role === 1 ? 'user' : 'assistant'}: ${message}`);
}

/** Lets the lease of a turn end now. */
export const endLease = (id: string) => turns.updateOne({ _id: id }, { $set: { until: new Date(0) } });

/** The chat as a process leaves it that died before it made one. */
export const loseChat = ({ turn }: Pick<Asking, 'turn'>) => chats.deleteOne({ _id: turn.threadId });
