/** Serving and calling RPCs, and the context of a call. */

export { disposing, operated, type RpcProcess, rpcProcess } from '../rpc-process.ts';
export { type Call, monotonicNow, newCall } from './call.ts';
export { callAs } from './call-as.ts';
export { type AccountId, type CallContext, contextSigner, type OperationId } from './context.ts';
export { deleteAccountData } from './delete-account-data.ts';
export { deriveId, isDerivedId, isUuid, randomId } from './ids.ts';
export { deriveKey } from './keys.ts';
export { type Rpc, type RpcService, type RpcStream, service } from './rpc.ts';
export { createRpcServer, type RpcServer } from './server.ts';
export { codeOf, publicError, type StatusName } from './status.ts';
export { type RpcClient, rpcClient } from './transport.ts';
