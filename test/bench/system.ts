import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Parley, type ParleyOptions, startParley } from '@parley/embedded';
import { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import { callAs, randomId, rpcClient } from '@parley/runtime/rpc';
import { startEngine } from '../../deploy/embedded/src/engine/start-engine.ts';
import { keepAlive } from './keep-alive.ts';

export interface System extends AsyncDisposable {
  parley: Parley;
  /** Address of the database. */
  uri: string;
  /** Directory of the object store. */
  objectsDir: string;
  account: string;
  /** The account's API key, with every scope. */
  key: string;
  /** Sends a request to the REST API and returns the data of the response; rejects if it failed. */
  send<T>(method: string, path: string, body?: unknown): Promise<T>;
}

/** An account, and a key of it with every scope. */
export interface Owner {
  account: string;
  key: string;
}

interface Kept {
  /** Where the data stays; by default it is removed at the end. */
  keepIn?: string | undefined;
  /** The account of an earlier run on the same data; by default, a new one. */
  owner?: Owner | undefined;
}

/** Starts all of Parley in this process, on its own engine, with an account. */
export async function startSystem({
  keepIn,
  owner,
  ...options
}: Omit<ParleyOptions, 'dataDir' | 'port'> & Kept = {}): Promise<System> {
  const dataDir = keepIn ?? (await mkdtemp(join(tmpdir(), 'parley-bench-')));
  const engine = await startEngine({ dataDir });
  const variables = { MONGODB_URI: engine.uri, EMBEDDINGS: 'none', LOG_LEVEL: 'error', RATE_LIMIT_PER_MINUTE: PLENTY };
  const parley = await startParley({
    ...options,
    dataDir,
    port: 0,
    variables: { ...variables, ...options.variables },
  });
  const { account, key } = owner ?? (await createAccount(parley.endpoints.auth, parley.secret));
  const ask = keepAlive(1);
  return {
    parley,
    uri: engine.uri,
    objectsDir: join(dataDir, 'objects'),
    account,
    key,
    async send(method, path, body) {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const answer = await ask(`${parley.endpoints.gateway}${path}`, { method, headers, body: JSON.stringify(body) });
      return JSON.parse(answer).data;
    },
    async [Symbol.asyncDispose]() {
      await parley.stop();
      await engine.stop();
      if (keepIn === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Requests are counted but never refused. */
export const PLENTY = '1000000000';

/** @param address of the auth service */
export async function createAccount(address: string, secret: string): Promise<Owner> {
  await using auth = rpcClient(AuthService, { address });
  const operator = callAs(secret, { operation: randomId() });
  const { account, key } = await auth.createAccount({ name: 'Bench' }, operator);
  return { account: account!.id, key };
}

interface Item {
  id: string;
  is_training: boolean;
  training_failed_with: string | null;
}

const LOOK_EVERY_MS = 250;
const TRAINED_WITHIN_MS = 600_000;

/** Trains a website as a new item, and waits for it. @throws Error with the reason if it fails. */
export async function trainWebsite(system: System, url: string): Promise<{ id: string }> {
  const { id } = await system.send<Item>('POST', '/knowledge/website', { website_url: url });
  return trainItem(system, id);
}

/** Trains an item, and waits for it. @throws Error with the reason if it fails. */
export async function trainItem({ send }: System, id: string): Promise<{ id: string }> {
  await send('PUT', `/knowledge/${id}/train`);
  for (const end = performance.now() + TRAINED_WITHIN_MS; performance.now() < end; await sleep(LOOK_EVERY_MS)) {
    const item = await send<Item>('GET', `/knowledge/${id}`);
    if (item.training_failed_with !== null) throw new Error(item.training_failed_with);
    if (!item.is_training) return { id };
  }
  throw new Error(`The training took longer than ${TRAINED_WITHIN_MS / 1000} s.`);
}
