import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Parley, startParley } from '@parley/embedded';
import { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import { ConversationsService, ThreadKind } from '@parley/proto/conversations/v1/conversations_service_pb';
import { createLog } from '@parley/runtime';
import { createDirectoryStore, type ObjectStore } from '@parley/runtime/objects';
import { callAs, openRpcTls, randomId, rpcClient } from '@parley/runtime/rpc';
import { MongoClient } from 'mongodb';
import { startEngine } from '../../deploy/embedded/src/engine/start-engine.ts';
import { type Account, createAccount } from './account.ts';
import { keyed, must } from './api.ts';

export interface WorldOptions {
  /** `none` searches by words only, for tests that do not depend on meaning. */
  embeddings: 'none' | 'local' | 'openai';
  /** Additional variables for the services. */
  variables?: Record<string, string>;
}

export interface World {
  parley: Parley;
  /** URL of the REST API, including `/v1`. */
  baseUrl: string;
  /** Two unrelated accounts. */
  a: Account;
  b: Account;
  account(name: string): Promise<Account>;
  /** Opens a ticket or an email as an end user does, and returns its id. */
  open(opening: Opening): Promise<string>;
  /** For inspecting stored data. */
  mongo: MongoClient;
  objects: ObjectStore;
  uri: string;
  dataDir: string;
  stop(): Promise<void>;
}

export interface Opening {
  /** The owner of the assistant. */
  account: Account;
  kind: 'ticket' | 'email';
  assistant: { id: string };
  email: string;
  subject?: string;
  message: string;
}

/**
 * A separate, complete system with the real engine and real gRPC, which may crawl websites on loopback. `prepare` creates
 * what the tests start from. If it fails, everything is stopped, because Jest does not run `afterAll` of a file that fails
 * to load.
 */
export const world = <T = void>(options: WorldOptions, prepare?: (bare: World) => Promise<T>): Promise<World & T> =>
  prepared((stops) => startWorld(options, stops), prepare);

export type Stops = (() => Promise<unknown>)[];

/** Starts and prepares something. `start` pushes a function to stop each thing it starts; on failure all of them run. */
export async function prepared<W extends { stop(): Promise<void> }, T = void>(
  start: (stops: Stops) => Promise<Omit<W, 'stop'>>,
  prepare: (bare: W) => Promise<T> = async () => ({}) as T,
): Promise<W & T> {
  const stops: Stops = [];
  const stop = async () => {
    for (let next = stops.pop(); next; next = stops.pop()) await next();
  };
  try {
    const bare = { ...(await start(stops)), stop } as W;
    return { ...bare, ...(await prepare(bare)) };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startWorld(options: WorldOptions, stops: Stops): Promise<Omit<World, 'stop'>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-world-'));
  stops.push(() => rm(dataDir, { recursive: true, force: true }));
  const engine = await startEngine({ dataDir });
  stops.push(engine.stop);
  const mongo = new MongoClient(engine.uri);
  stops.push(() => mongo.close());
  const parley = await start(dataDir, engine.uri, options);
  stops.push(parley.stop);

  const baseUrl = parley.endpoints.gateway;
  const objects = createDirectoryStore({ dir: join(dataDir, 'objects') });
  const account = accountOn(parley);
  const [a, b] = [await account('Ada'), await account('Ben')];
  return { parley, baseUrl, a, b, account, open: openerOn(parley), mongo, objects, uri: engine.uri, dataDir };
}

const start = (dataDir: string, uri: string, { embeddings, variables }: WorldOptions): Promise<Parley> =>
  startParley({
    dataDir,
    port: 0,
    variables: {
      MONGODB_URI: uri,
      CRAWL_ALLOW: '127.0.0.0/8',
      CRAWL_DELAY_MS: '0',
      // Refuses connections at once.
      YOUTUBE_URL: 'http://127.0.0.1:9',
      EMBEDDINGS: embeddings,
      EMBEDDING_MODEL_DIR: process.env.EMBEDDING_MODEL_DIR,
      LOG_LEVEL: 'error',
      ...variables,
    },
  });

type Running = Pick<Parley, 'endpoints' | 'secret'>;

/** Creates accounts on a running system. */
export const accountOn = (running: Running) => async (name: string) => {
  const key = await firstKey(running, name);
  return createAccount(keyed(running.endpoints.gateway, key), key);
};

const KINDS = { ticket: ThreadKind.TICKET, email: ThreadKind.EMAIL };

/** Opens tickets and emails on a running system. No route does so: they come from pages and from mail. */
export const openerOn =
  ({ endpoints, secret }: Running) =>
  async ({ account: owner, kind, assistant, email: fromEmail, subject, message }: Opening): Promise<string> => {
    const { account } = must(await owner.api.get<{ account: { id: string } }>('/me'));
    await using conversations = rpcClient(ConversationsService, {
      address: endpoints.conversations,
      tls: tlsOf(endpoints),
    });
    const opened = await conversations.openThread(
      { kind: KINDS[kind], assistantId: assistant.id, fromEmail, message, ...(subject !== undefined && { subject }) },
      callAs(secret, { account: account.id, operation: randomId() }),
    );
    return opened.thread!.id;
  };

const tlsOf = ({ rpcTls }: Parley['endpoints']) => rpcTls && openRpcTls(rpcTls, createLog('test', 'silent'));

/** Creates an account as an operator does, and returns its first key. */
export async function firstKey({ endpoints, secret }: Running, name: string): Promise<string> {
  await using auth = rpcClient(AuthService, { address: endpoints.auth, tls: tlsOf(endpoints) });
  return (await auth.createAccount({ name }, callAs(secret, { operation: randomId() }))).key;
}
