import { mkdtemp, rm } from 'node:fs/promises';
import { BlockList, connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Scope } from '@parley/proto/auth/v1/auth_service_pb';
import { createLog } from '@parley/runtime';
import { createRpcServer, type RpcServer, randomId } from '@parley/runtime/rpc';
import { freshDatabase } from '@parley/runtime/testing';
import { DEFAULT_LIMITS, type GatewayConfig } from '../config.ts';
import { createGateway, type Parts } from '../create.ts';
import { assistantsDouble } from './assistants-double.ts';
import { authDouble } from './auth-double.ts';
import { conversationsDouble } from './conversations-double.ts';
import { eventsDouble } from './events-double.ts';
import { knowledgeDouble } from './knowledge-double.ts';

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
  body: any;
}

const ALL_SCOPES = Object.values(Scope).filter((scope) => scope !== Scope.UNSPECIFIED);
export type World = Awaited<ReturnType<typeof world>>;

/** A gateway on a real socket and a real database, in front of doubles of the services behind real gRPC. */
export async function world(
  limits: Partial<GatewayConfig['limits']> = {},
  config: Partial<GatewayConfig> = {},
  parts: Partial<Parts> = {},
) {
  const secret = randomId();
  const log = createLog('test', 'silent');
  const database = freshDatabase();
  const dir = await mkdtemp(path.join(tmpdir(), 'parley-gateway-'));
  const doubles = {
    auth: authDouble(),
    knowledge: knowledgeDouble(),
    assistants: assistantsDouble(),
    conversations: conversationsDouble(),
    events: eventsDouble(),
  };
  const servers = new Map<string, RpcServer>();
  const addresses: Record<string, string> = {};
  for (const [name, { handlers }] of Object.entries(doubles)) {
    const server = createRpcServer({
      listen: { host: '127.0.0.1', port: 0 },
      secret,
      role: name,
      callers: ['gateway'],
      services: [handlers],
      log,
    });
    addresses[name] = `127.0.0.1:${(await server.start()).port}`;
    servers.set(name, server);
  }

  const account = { id: randomId(), key: newKey() };
  const other = { id: randomId(), key: newKey() };
  for (const { id, key } of [account, other]) doubles.auth.state.keys.set(key, { account: id, scopes: ALL_SCOPES });

  const full: GatewayConfig = {
    listen: { host: '127.0.0.1', port: 0 },
    trustedProxies: new BlockList(),
    secret,
    mongodb: { uri: database.uri, database: database.name },
    objects: { dir },
    services: addresses as unknown as GatewayConfig['services'],
    limits: { ...DEFAULT_LIMITS, ...limits },
    logLevel: 'silent',
    graceMs: 5_000,
    lingerMs: 0,
    ...config,
  };
  const gateway = createGateway(full, parts);
  await gateway.start();
  const { port } = gateway.address();
  const base = `http://127.0.0.1:${port}`;

  const call = (method: string, path: string, options: CallOptions = {}) =>
    callAt(`${base}${path}`, method, { key: account.key, ...options });

  return {
    ...doubles,
    config: full,
    gateway,
    /** The directory of the object store. */
    dir,
    base,
    port,
    account,
    other,
    /** A key of the first account that holds these scopes. */
    keyWith(...scopes: Scope[]): string {
      const key = newKey();
      doubles.auth.state.keys.set(key, { account: account.id, scopes });
      return key;
    },
    /** The same, restricted to them. */
    restrictedTo(...scopes: Scope[]): string {
      const key = newKey();
      doubles.auth.state.keys.set(key, { account: account.id, scopes, restricted: true });
      return key;
    },
    call,
    get: (path: string, options?: CallOptions) => call('GET', `/v1${path}`, options),
    post: (path: string, json: unknown, options?: CallOptions) => call('POST', `/v1${path}`, { json, ...options }),
    put: (path: string, json?: unknown, options?: CallOptions) => call('PUT', `/v1${path}`, { json, ...options }),
    patch: (path: string, json?: unknown, options?: CallOptions) => call('PATCH', `/v1${path}`, { json, ...options }),
    delete: (path: string, json?: unknown, options?: CallOptions) => call('DELETE', `/v1${path}`, { json, ...options }),
    raw: (bytes: string | Uint8Array, options?: RawOptions) => raw(port, bytes, options),
    stopService: async (name: keyof typeof doubles) => servers.get(name)!.stop(0),
    async end() {
      await gateway.stop();
      await Promise.all([...servers.values()].map((server) => server.stop(0)));
      await database.drop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

const newKey = () => `parley_${randomId().replaceAll('-', '')}`;

export interface CallOptions {
  key?: string | undefined;
  json?: unknown;
  body?: string | Uint8Array;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

async function callAt(url: string, method: string, { key, json, body, headers, signal }: CallOptions): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: json === undefined ? (body ?? null) : JSON.stringify(json),
    redirect: 'manual',
    signal: signal ?? null,
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

interface RawOptions {
  /** When the client has seen enough and closes the connection; by default, never. */
  enough?(received: string): boolean;
}

const ANSWER_WITHIN_MS = 30_000;

/** Sends raw bytes, and returns everything received until the connection closes. */
const raw = (port: number, bytes: string | Uint8Array, { enough = () => false }: RawOptions = {}): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let received = '';
    socket
      .setTimeout(ANSWER_WITHIN_MS, () => socket.destroy(new Error(`still open after: ${received}`)))
      .on('data', (data) => {
        received += data;
        if (enough(received)) socket.destroy();
      })
      .once('close', () => resolve(received))
      // A server that refuses early closes the connection while the rest is still being sent.
      .on(
        'error',
        (error: NodeJS.ErrnoException) => ['EPIPE', 'ECONNRESET'].includes(error.code ?? '') || reject(error),
      );
  });
