import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DescService } from '@bufbuild/protobuf';
import type { CallOptions } from '@connectrpc/connect';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import { callAs, contextSigner, monotonicNow, OPERATOR, randomId, rpcClient } from '@parley/runtime/rpc';
import { freshDatabase, testCall, until } from '@parley/runtime/testing';
import { type Db, MongoClient } from 'mongodb';
import { SERVICES } from '../../../gateway/src/services.ts';
import { factsOf, PROCESS_NAMES, RPC_NAMES } from '../../processes.ts';
import { freePort } from '../../stack/server.ts';
import { type Parley, startParley } from './start-parley.ts';

const { uri, name } = freshDatabase();
const variables = { MONGODB_URI: uri, MONGODB_DATABASE_PREFIX: name, LOG_LEVEL: 'silent' };
let dataDir: string;
let parley: Parley;
let authorization: string;
let opsPort: number;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-embedded-'));
  opsPort = await freePort();
  parley = await startParley({ dataDir, port: 0, variables: { ...variables, OPS_PORT: String(opsPort) } });
  const auth = rpcClient(AuthService, { address: parley.endpoints.auth });
  const asOperator = callAs(parley.secret, { operation: randomId() });
  authorization = `Bearer ${(await auth.createAccount({ name: 'Test' }, asOperator)).key}`;
  await auth[Symbol.asyncDispose]();
});
afterAll(async () => {
  await parley.stop();
  await rm(dataDir, { recursive: true });
});

const statusOf = async (path: string) =>
  (await fetch(`${parley.baseUrl}${path}`, { headers: { authorization } })).status;

test('it is ready when it has started, and programs find its endpoints', async () => {
  expect(await statusOf('/readyz')).toBe(200);
  expect(JSON.parse(await readFile(join(dataDir, 'endpoints.json'), 'utf8'))).toEqual(parley.endpoints);
});

test('its operations port, on this machine only, says that it is ready, and measures all services together', async () => {
  const ops = async (path: string) => (await fetch(`http://127.0.0.1:${opsPort}${path}`)).text();
  expect(await ops('/readyz')).toBe('ready\n');
  await statusOf('/v1/knowledge');
  const metrics = await ops('/metrics');
  const lines = metrics.split('\n');
  for (const dependency of ['mongodb', 'bus', 'object store'])
    expect(lines).toContain(`parley_dependency_up{dependency="${dependency}"} 1`);
  expect(lines).toContain(`parley_queue_depth{queue="training"} 0`);
  expect(lines).toContain(`parley_outbox_events{collection="${name}_corpus.knowledge_items"} 0`);
  expect(lines).toContain(`parley_outbox_oldest_age_seconds{collection="${name}_auth.quotas"} 0`);
  expect(lines).toContain('parley_index_cache_bytes 0');
  expect(metrics).toMatch(/^parley_build_info\{version="\d+\.\d+\.\d+",commit="unknown"\} 1$/m);
  expect(metrics).toMatch(/^parley_http_seconds_count\{method="GET",route="\/v1\/knowledge",status="200"\} 1$/m);
});

test.each(RPC_NAMES)('%s answers only the processes that have business with it, and operators', async (name) => {
  await using client = rpcClient<DescService>(SERVICES[name], { address: parley.endpoints[name] });
  const { localName } = SERVICES[name].methods[0]!;
  const call = (client as unknown as Record<string, (request: object, options: CallOptions) => Promise<unknown>>)[
    localName
  ]!;
  const answer = (role: string) =>
    call({}, testCall({ sign: contextSigner(parley.secret, role), deadline: monotonicNow() + 5_000 }).onward());
  const roles = [...PROCESS_NAMES, OPERATOR, 'unknown'];
  const answers = await Promise.allSettled(roles.map(answer));
  const refusal = `The caller's role may not call ${SERVICES[name].typeName}.`;
  const isRefused = (given: PromiseSettledResult<unknown>) =>
    given.status === 'rejected' && given.reason.rawMessage === refusal;
  expect(roles.filter((_, i) => !isRefused(answers[i]!))).toEqual([
    ...PROCESS_NAMES.filter((other) => [...factsOf(other).calls, ...(factsOf(other).asks ?? [])].includes(name)),
    OPERATOR,
  ]);
});

test('a stopped service gives 503 on its own routes only, and works again after a restart', async () => {
  const { knowledge } = parley.services;
  await knowledge.stop();
  expect([await statusOf('/v1/knowledge'), await statusOf('/v1/chatbots')]).toEqual([503, 200]);
  await knowledge.start();
  // The gateway tries to reconnect at least every two seconds.
  await until(async () => (await statusOf('/v1/knowledge')) === 200);
});

test('an aborted start stops everything that it had started', async () => {
  const stopping = new AbortController();
  const say = () => stopping.abort(new Error('told to stop'));
  const other = join(dataDir, 'other');
  const start = startParley({ dataDir: other, port: 0, demo: { port: 0 }, variables, say, signal: stopping.signal });
  await expect(start).rejects.toThrow('told to stop');
  await expect(access(join(other, 'endpoints.json'))).rejects.toThrow('ENOENT');
});

test('a start that waits for MongoDB can be aborted at once', async () => {
  const stopping = new AbortController();
  const nowhere = { ...variables, MONGODB_URI: 'mongodb://127.0.0.1:1/' };
  const say = (line: string) => {
    if (line.startsWith('Starting the services')) setTimeout(() => stopping.abort(new Error('told to stop')), 500);
  };
  const waiting = { dataDir: join(dataDir, 'waiting'), port: 0, variables: nowhere, say, signal: stopping.signal };
  await expect(startParley(waiting)).rejects.toThrow('stop');
});

test('a database that a newer release has migrated fails the start, or the running system, with a clear message', async () => {
  const client = new MongoClient(uri);
  const later = { ...variables, MONGODB_DATABASE_PREFIX: `${name}_later` };
  const databases = ['auth', 'gateway'].map((service) => client.db(`${name}_later_${service}`));
  const migrated = (db: Db) =>
    db.collection<{ _id: number; name: string }>('migrations').insertOne({ _id: 99, name: '' });
  await migrated(databases[1]!);
  const started = await startParley({ dataDir: join(dataDir, 'later'), port: 0, variables: later });
  await expect(started.failed).rejects.toThrow(`${name}_later_gateway was migrated by a newer release`);
  await started.stop();
  await migrated(databases[0]!);
  const refused = startParley({ dataDir: join(dataDir, 'later'), port: 0, variables: later });
  await expect(refused).rejects.toThrow(`${name}_later_auth was migrated by a newer release`);
  for (const db of databases) await db.dropDatabase();
  await client.close();
});
