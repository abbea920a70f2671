import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Parley, startParley } from '@parley/embedded';
import { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import { callAs, createDirectoryStore, type ObjectStore, randomId, rpcClient } from '@parley/runtime';
import { MongoClient } from 'mongodb';
import { startEngine } from '../../deploy/embedded/src/engine/start-engine.ts';
import { type Account, createAccount } from './account.ts';
import { keyed } from './api.ts';

export interface WorldOptions {
  /** `none`: search by words alone, where a test is not about meaning. */
  embeddings: 'none' | 'local' | 'openai';
  /** Told to the services beside that. */
  variables?: Record<string, string>;
}

export interface World {
  parley: Parley;
  /** Of the REST API, with `/v1`. */
  baseUrl: string;
  /** Two accounts that have nothing to do with each other. */
  a: Account;
  b: Account;
  account(name: string): Promise<Account>;
  /** To look at what is stored. */
  mongo: MongoClient;
  objects: ObjectStore;
  uri: string;
  dataDir: string;
  stop(): Promise<void>;
}

/**
 * A whole system of its own, with real engine and real gRPC, that may read websites on loopback. `prepare` makes what the
 * tests begin with: where it fails all is stopped, since Jest runs no `afterAll` of a file that it can't load.
 */
export const world = <T = void>(options: WorldOptions, prepare?: (bare: World) => Promise<T>): Promise<World & T> =>
  prepared((stops) => startWorld(options, stops), prepare);

export type Stops = (() => Promise<unknown>)[];

/** Starts something and prepares it. `start` pushes each way to end what it has started; where it fails all is ended. */
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
  return { parley, baseUrl, a, b, account, mongo, objects, uri: engine.uri, dataDir };
}

const start = (dataDir: string, uri: string, { embeddings, variables }: WorldOptions): Promise<Parley> =>
  startParley({
    dataDir,
    port: 0,
    variables: {
      MONGODB_URI: uri,
      CRAWL_ALLOW: '127.0.0.0/8',
      CRAWL_DELAY_MS: '0',
      EMBEDDINGS: embeddings,
      EMBEDDING_MODEL_DIR: process.env.EMBEDDING_MODEL_DIR,
      LOG_LEVEL: 'error',
      ...variables,
    },
  });

type Running = Pick<Parley, 'endpoints' | 'secret'>;

/** Makes accounts of a running system. */
export const accountOn = (running: Running) => async (name: string) => {
  const key = await firstKey(running, name);
  return createAccount(keyed(running.endpoints.gateway, key), key);
};

/** The first key of a new account, made as an operator makes it. */
export async function firstKey({ endpoints, secret }: Running, name: string): Promise<string> {
  await using auth = rpcClient(AuthService, { address: endpoints.auth });
  return (await auth.createAccount({ name }, callAs(secret, { operator: true, operation: randomId() }))).key;
}
