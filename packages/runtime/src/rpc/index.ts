/** Serving and calling RPCs, and the context of a call. */

export { deriveKey, deriveKeys, isMacOf, type RootSecret } from '../derive-key.ts';
export { deriveId, isDerivedId, isUuid, randomId } from '../ids.ts';
export { openService } from '../open-service.ts';
export { disposing, type RpcProcess, rpcProcess, withOpsServer } from '../rpc-process.ts';
export { type Call, monotonicNow, newCall } from './call.ts';
export { callAs } from './call-as.ts';
export { type CallContext, contextSigner, OPERATOR } from './context.ts';
export { type Handlers, handlersOf, type Rpc, type RpcService, type RpcStream, service } from './rpc.ts';
export { createRpcServer, type RpcServer } from './server.ts';
export { codeOf, publicError, type StatusName } from './status.ts';
export { openRpcTls, type RpcTls, type RpcTlsConfig } from './tls.ts';
export { type RpcClient, rpcClient, type TransportOptions } from './transport.ts';
export { quotaUsage, tokenUsage } from './usage.ts';
