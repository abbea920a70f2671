import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import { permissionDenied } from '@parley/runtime';
import type { Call, Rpc } from '@parley/runtime/rpc';
import { checkExpiry } from '../domain/expiry.ts';
import { checkName } from '../domain/name.ts';
import { checkGrant, checkRevoke } from '../domain/scopes.ts';
import type { Parts } from '../parts.ts';
import type { ApiKeyDoc } from '../store/auth-store.ts';
import { apiKeyMessage, apiKeyMessages, scopeNames } from './messages.ts';

/**
 * Creates a key that holds no scope the calling key lacks and does not outlive it. A retry of the operation replaces the
 * secret: only the key in the latest answer works.
 */
export const createApiKey =
  ({ store, mint }: Pick<Parts, 'store' | 'mint'>): Rpc<typeof AuthService.method.createApiKey> =>
  async (request, call) => {
    const name = checkName(request.name);
    const scopes = scopeNames(request.scopes);
    const maker = await makerOf(store, call);
    const expiresAt = request.expiresAt ? timestampDate(request.expiresAt) : null;
    // A request that is wrong is refused as such, whatever the key may grant.
    checkExpiry(expiresAt, maker?.expires_at ?? null);
    checkGrant(scopes, call.context.scopes ?? []);

    const key = mint.mint();
    const made = {
      _id: call.operation,
      name,
      scopes,
      hash: mint.hash(key)!,
      expires_at: expiresAt,
      created_by: maker?._id ?? null,
    };
    return { apiKey: apiKeyMessage(await store.createKey(call.account, made), maker), key };
  };

/** The calling key, if there is one. Gateways cache keys for ten seconds; a key revoked meanwhile must not create others. */
async function makerOf(store: Parts['store'], { account, context }: Call): Promise<ApiKeyDoc | undefined> {
  if (context.keyId === undefined) return undefined;
  const maker = await store.liveKey(account, context.keyId);
  if (!maker) throw permissionDenied('This API key was revoked or has expired, so it cannot create others.');
  return maker;
}

export const listApiKeys =
  ({ store }: Pick<Parts, 'store'>): Rpc<typeof AuthService.method.listApiKeys> =>
  async (request, call) => {
    const page = await store.listKeys(call.account, request);
    return { ...page, items: await apiKeyMessages(store, call.account, page.items) };
  };

/**
 * A key revokes keys whose scopes it holds, including itself; gateways forget a revoked key within ten seconds.
 * Idempotent by operation.
 */
export const revokeApiKey =
  ({ store }: Pick<Parts, 'store'>): Rpc<typeof AuthService.method.revokeApiKey> =>
  async ({ id }, call) => {
    const key = await store.keyToRevoke(call.account, id, call.operation);
    checkRevoke(key.scopes, call.context.scopes ?? []);
    await store.revokeKey(call.account, id, call.operation);
    const [apiKey] = await apiKeyMessages(store, call.account, [key]);
    return { apiKey: apiKey! };
  };
