import type { ApiKey } from '@parley/proto/auth/v1/auth_service_pb';
import { z } from 'zod';
import { iso, isoOrNull, timestamp } from '../fields/dates.ts';
import { SCOPE_NAMES, scopeNames } from '../scopes.ts';

export const scopes = z.array(z.enum(SCOPE_NAMES));

export const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  scopes,
  created_at: timestamp,
  expires_at: timestamp.nullable().meta({ description: 'Null: never.' }),
  last_used_at: timestamp.nullable().meta({ description: 'To the minute.' }),
});

export const createdApiKey = apiKey.extend({
  key: z.string().meta({ description: 'The key itself: shown this once.' }),
});

export const apiKeyJson = (key: ApiKey): z.input<typeof apiKey> => ({
  id: key.id,
  name: key.name,
  scopes: scopeNames(key),
  created_at: iso(key.createdAt!),
  expires_at: isoOrNull(key.expiresAt),
  last_used_at: isoOrNull(key.lastUsedAt),
});
