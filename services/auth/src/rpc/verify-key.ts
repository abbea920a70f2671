import type { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import { type Rpc, unauthenticated } from '@parley/runtime';
import type { Parts } from '../parts.ts';
import { accountMessage, apiKeyMessage } from './messages.ts';

/** Whose key this is. One sentence for every reason, so that nothing is told about keys that one does not hold. */
export const verifyKey =
  ({ store, mint }: Pick<Parts, 'store' | 'mint'>): Rpc<typeof AuthService.method.verifyKey> =>
  async (request, call) => {
    const hash = mint.hash(request.key);
    const key = hash && (await store.keyByHash(hash));
    const account = key && (await store.account(key.account));
    if (!key || !account) throw unauthenticated('This API key is not valid.');
    // A lost touch costs nobody anything, so the answer does not wait for it.
    store.touchKey(key.account, key._id).catch((error) => call.log.warn({ err: error }, 'last_used_at'));
    return { account: accountMessage(account), apiKey: apiKeyMessage(key) };
  };
