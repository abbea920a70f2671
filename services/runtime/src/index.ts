export type { Bus, BusMessage, Received, Subscription } from './bus/bus.ts';
export { openBus } from './bus/open-bus.ts';
export { ConfigError, type Env, readEnv } from './env.ts';
export * from './errors.ts';
export { keepLatest } from './keep-latest.ts';
export { type LinkedSignal, linkedSignal } from './linked-signal.ts';
export { createLog, type Log } from './log.ts';
export { createLoop, type Loop } from './loop.ts';
export { type Mongo, type MongoConfig, openMongo } from './mongo/connect.ts';
export { duplicateIndex, isDatabaseError, isDuplicate } from './mongo/errors.ts';
export { fromNow, keepLease, LeaseLost, passed, withLease } from './mongo/lease.ts';
export type { Migration } from './mongo/migrations.ts';
export { createRelay, type Fact, OUTBOX_INDEX, outbox, type WithOutbox } from './mongo/outbox.ts';
export { type Owned, ownedBy, refuse } from './mongo/owned.ts';
export { NEWEST_FIRST, type Order, type Page, type PageRequest, page, pageLimit } from './mongo/page.ts';
export { createPurge, goneParents, LIVE, TOMBSTONE_INDEX, tombstone } from './mongo/tombstone.ts';
export { compute, insertOnce, literal, set } from './mongo/write.ts';
export { createDirectoryStore } from './objects/directory.ts';
export { type ObjectStore, readObject } from './objects/objects.ts';
export { openObjects } from './objects/open-objects.ts';
export { type OpenAiFailure, openAiFailure } from './openai-failure.ts';
export { type Component, createProcess, type Process, run, within } from './process.ts';
export { type Call, monotonicNow, newCall } from './rpc/call.ts';
export { callAs } from './rpc/call-as.ts';
export { type AccountId, type CallContext, contextSigner, type OperationId } from './rpc/context.ts';
export { deriveId, isUuid, randomId } from './rpc/ids.ts';
export { deriveKey } from './rpc/keys.ts';
export { type Rpc, type RpcService, type RpcStream, service } from './rpc/rpc.ts';
export { createRpcServer, type RpcServer } from './rpc/server.ts';
export { codeOf, publicError, type StatusName } from './rpc/status.ts';
export { type RpcClient, rpcClient } from './rpc/transport.ts';
export { disposing, operated, type RpcProcess, rpcProcess } from './rpc-process.ts';
export {
  type BusConfig,
  type Listen,
  type ObjectsConfig,
  type ProcessConfig,
  readObjectsConfig,
  readProcessConfig,
  readSecret,
  readServiceConfig,
  type ServiceConfig,
} from './service-config.ts';
export { createMetrics, type Metrics } from './telemetry/metrics.ts';
export { answerTo, createOpsServer } from './telemetry/ops-server.ts';
export { CONVERSATIONS_TOPIC, KNOWLEDGE_TOPIC } from './topics.ts';
export { startWorkerThread } from './worker-thread.ts';
