import { expect, test } from '@jest/globals';
import { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { randomId } from './ids.ts';
import type { AccountEraser } from './mongo/deleted-accounts.ts';
import { CannotRun } from './process.ts';
import { callAs } from './rpc/call-as.ts';
import type { RpcService } from './rpc/rpc.ts';
import { connectTo, edgeCall, refusal, secret, silent } from './rpc/testing/rpc.ts';
import { rpcProcess } from './rpc-process.ts';
import { createMetrics } from './telemetry/metrics.ts';

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
