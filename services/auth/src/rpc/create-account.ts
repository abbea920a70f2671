import type { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import { deriveId, type Rpc } from '@parley/runtime';
import { checkName } from '../domain/name.ts';
import { ALL_SCOPES } from '../domain/scopes.ts';
import type { Parts } from '../parts.ts';
import { accountMessage, apiKeyMessage } from './messages.ts';

/** Makes an account and its first key, which holds every scope. The same operation gives the same two again. */
export const createAccount =
  ({ store, mint }: Pick<Parts, 'store' | 'mint'>): Rpc<typeof AuthService.method.createAccount> =>
  async (request, call) => {
    call.requireOperator();
    const account = await store.createAccount(call.operation, checkName(request.name));

    const operation = deriveId(call.operation, 'first key');
    const key = mint.mint(operation);
    const made = { _id: operation, name: 'First key', scopes: ALL_SCOPES, hash: mint.hash(key)!, expires_at: null };
    const apiKey = await store.createKey(account._id, made);
    return { account: accountMessage(account), apiKey: apiKeyMessage(apiKey), key };
  };
