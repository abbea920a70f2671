import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freshDatabase } from '@parley/embedded/testing';
import { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import { callAs, randomId, rpcClient } from '@parley/runtime';
import { type Parley, startParley } from './start-parley.ts';

const { uri, name } = freshDatabase();
const variables = { MONGODB_URI: uri, MONGODB_DATABASE_PREFIX: name, LOG_LEVEL: 'silent' };
let dataDir: string;
let parley: Parley;
let authorization: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-embedded-'));
  parley = await startParley({ dataDir, port: 0, variables });
  const auth = rpcClient(AuthService, { address: parley.endpoints.auth });
  const asOperator = callAs(parley.secret, { operator: true, operation: randomId() });
  authorization = `Bearer ${(await auth.createAccount({ name: 'Test' }, asOperator)).key}`;
  await auth[Symbol.asyncDispose]();
});
afterAll(async () => {
  await parley.stop();
  await rm(dataDir, { recursive: true });
});

const statusOf = async (path: string) =>
  (await fetch(`${parley.baseUrl}${path}`, { headers: { authorization } })).status;

test('it is ready when it has started, and its endpoints are written where programs look for them', async () => {
  expect(await statusOf('/readyz')).toBe(200);
  expect(JSON.parse(await readFile(join(dataDir, 'endpoints.json'), 'utf8'))).toEqual(parley.endpoints);
});

test('a service that is stopped gives 503 on its own routes only, and works again after its start', async () => {
  const { knowledge } = parley.services;
  await knowledge.stop();
  expect([await statusOf('/v1/knowledge'), await statusOf('/v1/chatbots')]).toEqual([503, 200]);
  await knowledge.start();
  expect(await statusOf('/v1/knowledge')).toBe(200);
});

test('a start that is told to stop ends, with all that it had started', async () => {
  const stopping = new AbortController();
  const say = () => stopping.abort(new Error('told to stop'));
  const other = join(dataDir, 'other');
  const start = startParley({ dataDir: other, port: 0, demo: { port: 0 }, variables, say, signal: stopping.signal });
  await expect(start).rejects.toThrow('told to stop');
  await expect(access(join(other, 'endpoints.json'))).rejects.toThrow('ENOENT');
});
