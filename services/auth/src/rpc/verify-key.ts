import type { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import { unauthenticated } from '@parley/runtime';
import type { Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import { accountMessage, apiKeyMessage } from './messages.ts';

/** Returns the account of a key. Every refusal reads the same, so that it reveals nothing about keys the caller does not hold. */
export const verifyKey =
  ({ store, mint }: Pick<Dependencies, 'store' | 'mint'>): Rpc<typeof AuthService.method.verifyKey> =>
  async (request, call) => {
    const hash = mint.hash(request.key);
    const key = hash && (await store.keyByHash(hash));
    const account = key && (await store.account(key.account));
    if (!key || !account) throw unauthenticated('This API key is not valid.');
    // Best effort: the answer does not wait for it.
    store
      .touchKey(key.account, key._id)
      .catch((error) => call.log.warn({ err: error }, 'could not update last_used_at'));
    return { account: accountMessage(account), apiKey: apiKeyMessage(key) };
  };
