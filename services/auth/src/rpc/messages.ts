import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type AccountSchema, type ApiKeySchema, Scope } from '@parley/proto/auth/v1/auth_service_pb';
import { invalidArgument } from '@parley/runtime';
import { CATALOGUE, type ScopeName } from '../domain/scopes.ts';
import type { AccountDoc, ApiKeyDoc } from '../store/model.ts';

const timestamp = (date: Date | null) => (date ? timestampFromDate(date) : undefined);

export const accountMessage = (account: AccountDoc): MessageInitShape<typeof AccountSchema> => ({
  id: account._id,
  name: account.name,
  createdAt: timestampFromDate(account.created_at),
  deletedAt: timestamp(account.deleted_at),
});

/** The names of the requested scopes, each once, in the catalogue's order. INVALID_ARGUMENT for an unknown scope. */
export function scopeNames(asked: readonly Scope[]): ScopeName[] {
  const names = asked.map((scope) => CATALOGUE.find((name) => Scope[name] === scope));
  if (names.includes(undefined)) throw invalidArgument('scopes contains a scope that does not exist.');
  return CATALOGUE.filter((name) => names.includes(name));
}

export const apiKeyMessage = (key: ApiKeyDoc): MessageInitShape<typeof ApiKeySchema> => ({
  id: key._id,
  name: key.name,
  scopes: key.scopes.map((name) => Scope[name]),
  restricted: key.restricted,
  createdAt: timestampFromDate(key.created_at),
  expiresAt: timestamp(key.expires_at),
  lastUsedAt: timestamp(key.last_used_at),
  createdBy: key.created_by ?? undefined,
});
