import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type AccountSchema, type ApiKeySchema, Scope } from '@parley/proto/auth/v1/auth_service_pb';
import { invalidArgument } from '@parley/runtime';
import { ALL_SCOPES, type ScopeName } from '../domain/scopes.ts';
import type { AccountDoc, ApiKeyDoc, AuthStore } from '../store/auth-store.ts';

const timestamp = (date: Date | null) => (date ? timestampFromDate(date) : undefined);

export const accountMessage = (account: AccountDoc): MessageInitShape<typeof AccountSchema> => ({
  id: account._id,
  name: account.name,
  createdAt: timestampFromDate(account.created_at),
  deletedAt: timestamp(account.deleted_at),
});

/** The names of the requested scopes, each once, in the catalogue's order. INVALID_ARGUMENT for an unknown scope. */
export function scopeNames(asked: readonly Scope[]): ScopeName[] {
  const names = asked.map((scope) => ALL_SCOPES.find((name) => Scope[name] === scope));
  if (names.includes(undefined)) throw invalidArgument('scopes contains a scope that does not exist.');
  return ALL_SCOPES.filter((name) => names.includes(name));
}

type Maker = Pick<ApiKeyDoc, '_id' | 'name'>;

export const apiKeyMessage = (key: ApiKeyDoc, maker?: Maker): MessageInitShape<typeof ApiKeySchema> => ({
  id: key._id,
  name: key.name,
  scopes: key.scopes.map((name) => Scope[name]),
  createdAt: timestampFromDate(key.created_at),
  expiresAt: timestamp(key.expires_at),
  lastUsedAt: timestamp(key.last_used_at),
  createdBy: maker && { id: maker._id, name: maker.name },
});

/** Keys with the names of the keys that created them, read in one query. */
export async function apiKeyMessages(store: AuthStore, account: string, keys: readonly ApiKeyDoc[]) {
  const makers = await store.makersOf(account, keys);
  return keys.map((key) => apiKeyMessage(key, key.created_by ? makers.get(key.created_by) : undefined));
}
