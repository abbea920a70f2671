import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { randomId } from './ids.ts';
import type { AccountEraser } from './mongo/deleted-accounts.ts';
import { CannotRun } from './process.ts';
import { callAs } from './rpc/call-as.ts';
import type { RpcService } from './rpc/rpc.ts';
import { atEnd, connectTo, edgeCall, refusal, secret, silent } from './rpc/testing/rpc.ts';
import { openRpcTls } from './rpc/tls.ts';
import { rpcProcess } from './rpc-process.ts';
import { createMetrics } from './telemetry/metrics.ts';
import { gate, until } from './testing/index.ts';
import { issue } from './tls/testing/issue.ts';
import { mountCertificate } from './tls/testing/mount-secret.ts';

const config = {
  name: 'test',
  listen: { host: '127.0.0.1', port: 0 },
  mongodb: { uri: '', database: '' },
  bus: { mongodb: { uri: '', database: '' } },
  logLevel: 'silent',
  graceMs: 1_000,
  secret,
};
const none = async () => ({});
const handlersOf = ({ methods }: RpcService['desc']) =>
  Object.fromEntries(methods.map(({ localName }) => [localName, none]));

/** Erases accounts that have no data, and remembers which. */
function recordingEraser() {
  const erased: string[] = [];
  const eraser: AccountEraser = {
    tombstones: { findOneAndUpdate: async () => null } as never,
    markDeleted: async (account) => void erased.push(account),
    isDeleted: async () => false,
    erase: async () => ({ deleted: 0, done: true }),
  };
  return { erased, eraser };
}

const process = (desc: RpcService['desc'], eraser: AccountEraser, handlers = handlersOf(desc)) =>
  rpcProcess({
    config,
    log: silent,
    metrics: createMetrics(),
    tls: undefined,
    components: [],
    services: [{ desc, handlers: handlers as never }],
    accountData: { eraser },
    callers: ['gateway'],
  });

test('a process that stores data of accounts, but has no method that erases it, does not start', () => {
  expect(() => process(AuthService, recordingEraser().eraser)).toThrow(CannotRun);
});

test('a process that stores data of accounts serves their erasure, to operators only', async () => {
  const { erased, eraser } = recordingEraser();
  const { deleteAccountData: _, ...handlers } = handlersOf(KnowledgeService);
  const served = process(KnowledgeService, eraser, handlers);
  await served.start();
  try {
    const knowledge = connectTo(KnowledgeService, `127.0.0.1:${served.port()}`);
    const accountId = randomId();
    const asOwner = edgeCall({ account: accountId }).onward();
    expect((await refusal(knowledge.deleteAccountData({ accountId }, asOwner))).code).toBe('permission_denied');
    const asOperator = callAs(secret, { operation: randomId() });
    expect((await knowledge.deleteAccountData({ accountId }, asOperator)).done).toBe(true);
    expect(erased).toEqual([accountId]);
  } finally {
    await served.stop();
  }
});

test('a pod is ready at /readyz/tls once it has started, whatever other components say, unless others refuse its certificate', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'parley-ready-'));
  atEnd(() => rm(dir, { recursive: true }));
  await issue(dir, 'ca');
  await issue(dir, 'good', { by: 'ca' });
  await issue(dir, 'expired', { by: 'ca', expired: true });
  for (const [certificate, status, reason] of [
    ['good', 200, 'ready'],
    ['expired', 503, 'the certificate has expired'],
  ] as const) {
    await mountCertificate(join(dir, certificate), dir, certificate, ['ca']);
    const ops = { host: '127.0.0.1', port: await freePort() };
    const started = gate();
    const unavailable = { name: 'store', start: () => started.opened, ready: () => Promise.reject(new Error('away')) };
    const running = rpcProcess({
      config: { ...config, ops },
      log: silent,
      metrics: createMetrics(),
      tls: openRpcTls({ dir: join(dir, certificate), mode: 'require' }, silent),
      components: [unavailable],
      services: [],
      accountData: 'none',
      callers: [],
    });
    atEnd(running.stop);
    const ask = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${ops.port}${path}`);
      return { status: response.status, text: await response.text() };
    };
    const starting = running.start();
    await until(async () => (await ask('/healthz').catch(() => undefined))?.status === 200);
    expect((await ask('/readyz/tls')).status).toBe(503);
    started.open();
    await starting;
    expect(await ask('/readyz/tls')).toEqual({ status, text: expect.stringContaining(reason) });
    expect(await ask('/readyz')).toEqual({ status: 503, text: expect.stringContaining('away') });
    expect(await ask('/readyz/tsl')).toEqual({ status: 503, text: 'there is no tsl here\n' });
  }
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
