import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type AccountSchema, type ApiKeySchema, Scope } from '@parley/proto/auth/v1/auth_service_pb';
import type { AccountDoc, ApiKeyDoc } from '../store/auth-store.ts';

const timestamp = (date: Date | null) => (date ? timestampFromDate(date) : undefined);

export const accountMessage = (account: AccountDoc): MessageInitShape<typeof AccountSchema> => ({
  id: account._id,
  name: account.name,
  createdAt: timestampFromDate(account.created_at),
});

export const apiKeyMessage = (key: ApiKeyDoc): MessageInitShape<typeof ApiKeySchema> => ({
  id: key._id,
  name: key.name,
  scopes: key.scopes.map((name) => Scope[name]),
  createdAt: timestampFromDate(key.created_at),
  expiresAt: timestamp(key.expires_at),
  lastUsedAt: timestamp(key.last_used_at),
});
