import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storedChunks } from '@parley/corpus/testing';
import { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import { KnowledgeService, type SearchResponse } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { createDirectoryStore } from '@parley/runtime/objects';
import { callAs, randomId, rpcClient } from '@parley/runtime/rpc';
import { until } from '@parley/runtime/testing';
import { MongoClient } from 'mongodb';
import { startEngine } from '../../deploy/embedded/src/engine/start-engine.ts';
import { type Parley, startParley } from '../../deploy/embedded/src/start-parley.ts';
import { type Account, createAccount } from '../e2e/account.ts';
import { keyed, must } from '../e2e/api.ts';
import type { KnowledgeItem, Reply } from '../e2e/resources.ts';

type Variables = Record<string, string | undefined>;
type Identified = { id: string };

/** All of Parley with one account. Its timeouts suit models that share a slow machine with their tests. */
export interface System extends AsyncDisposable {
  readonly account: Account;
  /** Starts a training and waits for it to finish or fail. */
  train(item: Identified): Promise<KnowledgeItem>;
  ask(chatbot: Identified, message: string, session?: string): Promise<Asked>;
  /** Searches an item in the knowledge service; the API does not expose it. */
  search(item: Identified, query: string): Promise<SearchResponse>;
  /** The embedding model of the live build (null if it has none), and its vectors as stored. */
  live(item: Identified): Promise<{ model: string | null; vectors: string[] }>;
  /** Restarts on the same data with other variables. */
  restart(variables: Variables): Promise<void>;
}

export interface Asked {
  status: number;
  /** The complete body. */
  text: string;
  message: string;
  sources: Reply['sources'];
  session: string;
}

const TRAINED_WITHIN_MS = 5 * 60_000;
/** A response takes seconds on an idle machine, minutes on a busy one. */
const REPLY_TIMEOUT_SECONDS = 600;

export async function startSystem(variables: Variables): Promise<System> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-models-'));
  const engine = await startEngine({ dataDir });
  const mongo = new MongoClient(engine.uri);
  const corpus = mongo.db('parley_corpus');
  const start = (own: Variables) =>
    startParley({
      dataDir,
      port: 0,
      variables: {
        MONGODB_URI: engine.uri,
        CRAWL_ALLOW: '127.0.0.0/8',
        CRAWL_DELAY_MS: '0',
        EMBEDDING_MODEL_DIR: process.env.EMBEDDING_MODEL_DIR,
        LOG_LEVEL: 'silent',
        REPLY_TIMEOUT_SECONDS: `${REPLY_TIMEOUT_SECONDS}`,
        ...own,
      },
    });
  let parley = await start(variables);
  const { id, key } = await makeAccount(parley);
  const account = () => createAccount(keyed(parley.endpoints.gateway, key), key);
  return {
    get account() {
      return account();
    },
    async train(item) {
      const { api } = account();
      must(await api.put(`/knowledge/${item.id}/train`));
      const read = async () => must(await api.get<KnowledgeItem>(`/knowledge/${item.id}`));
      return until(read, ({ is_training }) => !is_training, TRAINED_WITHIN_MS);
    },
    ask: (chatbot, message, session) =>
      ask(`${parley.endpoints.gateway}/chatbot/${chatbot.id}/reply`, key, message, session),
    async search(item, query) {
      await using knowledge = rpcClient(KnowledgeService, { address: parley.endpoints.knowledge });
      const context = callAs(parley.secret, { account: id, operation: randomId() });
      return await knowledge.search({ knowledgeIds: [item.id], query }, context);
    },
    async live(item) {
      const found = await corpus.collection<Item>('knowledge_items').findOne({ _id: item.id });
      const { build, model } = found!.live;
      const chunks = await storedChunks(createDirectoryStore({ dir: join(dataDir, 'objects') }), id, build);
      return { model, vectors: chunks.map(({ vector }) => vector?.join() ?? 'none') };
    },
    async restart(own) {
      await parley.stop();
      parley = await start(own);
    },
    async [Symbol.asyncDispose]() {
      await parley.stop();
      await mongo.close();
      await engine.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

interface Item {
  _id: string;
  live: { build: string; model: string | null };
}

async function makeAccount({ endpoints, secret }: Parley): Promise<{ id: string; key: string }> {
  await using auth = rpcClient(AuthService, { address: endpoints.auth });
  const made = await auth.createAccount({ name: 'Ada' }, callAs(secret, { operation: randomId() }));
  return { id: made.account!.id, key: made.key };
}

async function ask(url: string, key: string, message: string, session_id?: string): Promise<Asked> {
  const { status, text } = await post(url, key, JSON.stringify({ message, session_id }));
  const body = JSON.parse(text);
  const { message: answer, sources, session_id: session } = body.data ?? { message: body.message, sources: [] };
  return { status, text, message: answer, sources, session };
}

/** Does not use fetch, which times out after 300 s. */
async function post(url: string, key: string, body: string): Promise<{ status: number; text: string }> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const signal = AbortSignal.timeout((REPLY_TIMEOUT_SECONDS + 10) * 1000);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { method: 'POST', headers, signal }, resolve).on('error', reject).end(body);
  });
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += part;
  return { status: response.statusCode!, text };
}
