import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import { failedPrecondition, permissionDenied } from '@parley/runtime';
import type { Call, Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import { checkExpiry } from '../domain/expiry.ts';
import { checkName } from '../domain/name.ts';
import { checkGrant, checkRestriction, checkRevoke, type Grant } from '../domain/scopes.ts';
import type { ApiKeyDoc } from '../store/model.ts';
import { apiKeyMessage, scopeNames } from './messages.ts';

/** So that lists of ancestors stay short; an honest chain has two or three. */
const MAX_ANCESTORS = 32;

/**
 * Creates a key that may do no more than the calling key and does not outlive it. A retry of the operation replaces the
 * secret: only the key in the latest answer works.
 */
export const createApiKey =
  ({ store, mint }: Pick<Dependencies, 'store' | 'mint'>): Rpc<typeof AuthService.method.createApiKey> =>
  async (request, call) => {
    const { restricted } = request;
    const name = checkName(request.name);
    const scopes = scopeNames(request.scopes);
    const maker = await callingKey(store, call);
    const expiresAt = request.expiresAt ? timestampDate(request.expiresAt) : null;
    // A request that is wrong is refused as such, whatever the key may grant.
    checkRestriction({ scopes, restricted });
    checkExpiry(expiresAt, maker?.expires_at ?? null);
    checkGrant({ scopes, restricted }, held(call, maker));
    if (maker && maker.ancestors.length >= MAX_ANCESTORS)
      throw failedPrecondition(`At most ${MAX_ANCESTORS} keys can create keys one after the other.`);

    const key = mint.mint();
    const made = {
      _id: call.operation,
      name,
      scopes,
      restricted,
      hash: mint.hash(key)!,
      expires_at: expiresAt,
      created_by: maker ? { id: maker._id, name: maker.name } : null,
      ancestors: maker ? [...maker.ancestors, maker._id] : [],
    };
    return { apiKey: apiKeyMessage(await store.createKey(call.account, made)), key };
  };

/** The calling key, if there is one. Gateways cache keys for ten seconds; a key revoked meanwhile must not manage others. */
async function callingKey(
  store: Dependencies['store'],
  { account, context, operation }: Call,
): Promise<ApiKeyDoc | undefined> {
  if (context.keyId === undefined) return undefined;
  const key = await store.callingKey(account, context.keyId, operation);
  if (!key) throw permissionDenied('This API key was revoked or has expired, so it cannot create or revoke others.');
  return key;
}

const held = ({ context }: Call, key: ApiKeyDoc | undefined): Grant => ({
  scopes: context.scopes ?? [],
  restricted: key?.restricted ?? false,
});

export const listApiKeys =
  ({ store }: Pick<Dependencies, 'store'>): Rpc<typeof AuthService.method.listApiKeys> =>
  async (request, call) => {
    const page = await store.listKeys(call.account, request);
    return { ...page, items: page.items.map(apiKeyMessage) };
  };

/**
 * A key revokes keys that may do no more than itself, including itself; gateways forget a revoked key within ten seconds.
 * What a key created may do no more than that key. Idempotent by operation.
 */
export const revokeApiKey =
  ({ store }: Pick<Dependencies, 'store'>): Rpc<typeof AuthService.method.revokeApiKey> =>
  async ({ id, keepCreated }, call) => {
    const key = await store.keyToRevoke(call.account, id, call.operation);
    checkRevoke(key, held(call, await callingKey(store, call)));
    const revoked = await store.revokeKey(call.account, id, call.operation, keepCreated);
    return { apiKey: apiKeyMessage(key), revoked: revoked.map(({ _id, name }) => ({ id: _id, name })) };
  };
