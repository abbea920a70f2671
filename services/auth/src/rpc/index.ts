import { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import { type RpcService, service } from '@parley/runtime/rpc';
import type { Parts } from '../parts.ts';
import { createAccount, deleteAccount, finishAccountDeletion, listAccounts, listDeletedAccounts } from './accounts.ts';
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys.ts';
import { createPersona, deletePersona, getPersona, listPersonas } from './personas.ts';
import { verifyKey } from './verify-key.ts';

/** The handlers of the auth service's RPCs, by name. Tests call them directly. */
export const handlers = (parts: Omit<Parts, 'metrics'>) => ({
  verifyKey: verifyKey(parts),
  createApiKey: createApiKey(parts),
  listApiKeys: listApiKeys(parts),
  revokeApiKey: revokeApiKey(parts),
  createPersona: createPersona(parts),
  getPersona: getPersona(parts),
  listPersonas: listPersonas(parts),
  deletePersona: deletePersona(parts),
  createAccount: createAccount(parts),
  listAccounts: listAccounts(parts),
  deleteAccount: deleteAccount(parts),
  finishAccountDeletion: finishAccountDeletion(parts),
  listDeletedAccounts: listDeletedAccounts(parts),
});

/** The RPCs of the auth service. */
export const rpcs = (parts: Parts): RpcService => service(AuthService, handlers(parts));
