import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import { invalidArgument, type Rpc } from '@parley/runtime';
import { checkName } from '../domain/name.ts';
import { checkGrant, scopeNames } from '../domain/scopes.ts';
import type { Parts } from '../parts.ts';
import { apiKeyMessage } from './messages.ts';

/** Makes a key that holds no more than the calling key does. The same operation gives the same key again. */
export const createApiKey =
  ({ store, mint }: Pick<Parts, 'store' | 'mint'>): Rpc<typeof AuthService.method.createApiKey> =>
  async (request, call) => {
    const name = checkName(request.name);
    const scopes = scopeNames(request.scopes);
    checkGrant(scopes, call.context.scopes ?? []);
    const expiresAt = request.expiresAt ? timestampDate(request.expiresAt) : null;
    if (expiresAt && expiresAt.getTime() <= Date.now()) throw invalidArgument('expires_at must lie in the future.');

    const key = mint.mint(call.operation);
    const made = { _id: call.operation, name, scopes, hash: mint.hash(key)!, expires_at: expiresAt };
    return { apiKey: apiKeyMessage(await store.createKey(call.account, made)), key };
  };
