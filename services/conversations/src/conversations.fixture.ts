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
  testCall,
} from '@parley/runtime';
import { MongoClient } from 'mongodb';
import { createConversations } from './create.ts';
import type { ChatDoc, TurnDoc } from './store/model.ts';

const secret = 'the secret of these tests, long enough';
const database = freshDatabase();
const busDatabase = freshDatabase();
const mongo = new MongoClient(database.uri);

let service: RpcProcess;
let bus: Bus;
export let conversations: RpcClient<typeof ConversationsService>;
export const turns = mongo.db(database.name).collection<TurnDoc>('turns');
export const chats = mongo.db(database.name).collection<ChatDoc>('chats');

beforeAll(async () => {
  const uri = database.uri;
  const config = {
    name: 'conversations',
    listen: { host: '127.0.0.1', port: 0 },
    secret,
    mongodb: { uri, database: database.name },
    bus: { mongodb: { uri, database: busDatabase.name } },
    logLevel: 'silent',
    graceMs: 0,
  };
  bus = openBus(config.bus, createLog('test', 'silent'), createMetrics());
  await bus.start();
  service = createConversations(config, { bus });
  await service.start();
  conversations = rpcClient(ConversationsService, { address: `127.0.0.1:${service.port()}` });
});

afterAll(async () => {
  await conversations[Symbol.asyncDispose]();
  await service.stop();
  await bus.stop();
  await mongo.close();
  await Promise.all([database.drop(), busDatabase.drop()]);
});

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

/** Asks, and gives back what is needed to go on: the turn, its owner's account and its assistant. */
export async function ask(asked: Asked = {}) {
  const { account = randomId(), assistant = randomId(), session = '', question = 'Why?', leaseMs = 30_000 } = asked;
  const { turn, history } = await conversations.beginTurn(
    { assistantId: assistant, sessionId: session, question, lease: durationFromMs(leaseMs) },
    call({ account, operation: asked.operation ?? randomId() }, asked.timeoutMs).onward(),
  );
  return { account, assistant, turn: turn!, session: turn!.sessionId, history };
}

type Asking = Awaited<ReturnType<typeof ask>>;

export const answer = ({ account, turn }: Pick<Asking, 'account' | 'turn'>, message: string) =>
  conversations.answerTurn(
    {
      turnId: turn.id,
      fence: turn.fence,
      answer: { message, sources: [{ n: 1, title: 'T', url: 'https://t.example' }] },
    },
    call({ account }).onward(),
  );

export const abandon = ({ account, turn }: Pick<Asking, 'account' | 'turn'>) =>
  conversations.abandonTurn({ turnId: turn.id, fence: turn.fence }, call({ account }).onward());

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

export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}
