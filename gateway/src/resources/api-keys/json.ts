import type { ApiKey } from '@parley/proto/auth/v1/auth_service_pb';
import { z } from 'zod';
import { iso, isoOrNull, timestamp } from '../../fields/dates.ts';
import { SCOPE_NAMES, scopeNames } from '../../scopes.ts';

const scope = z.enum(SCOPE_NAMES).meta({
  id: 'Scope',
  description:
    'What a key may do that not every key may. `KNOWLEDGE_READ` and those after it are for restricted keys: every other key may do that.',
});

export const scopes = z.array(scope);

export const restricted = z.boolean().meta({ description: 'It may do only what its scopes say.' });

const EXAMPLE = {
  id: '01890a5d-ac96-474b-8cce-b302099a8057',
  name: 'Deployment',
  scopes: ['CHATBOTS_WRITE'],
  restricted: false,
  created_at: '2026-03-01T09:30:00.000Z',
  expires_at: null,
  last_used_at: '2026-03-02T14:05:00.000Z',
  created_by: null,
};

const fields = z.object({
  id: z.string(),
  name: z.string(),
  scopes,
  restricted,
  created_at: timestamp,
  expires_at: timestamp.nullable().meta({ description: 'Null: never.' }),
  last_used_at: timestamp.nullable().meta({ description: 'To the minute.' }),
  created_by: z
    .object({ id: z.string(), name: z.string() })
    .nullable()
    .meta({ description: 'The key that created it, which may be revoked by now; null if none did.' }),
});

const revoked = z
  .array(z.object({ id: z.string(), name: z.string() }))
  .meta({ description: 'The keys that were revoked with it, newest first; at most 1,000 are listed.' });

export const apiKey = fields.meta({ id: 'ApiKey', examples: [EXAMPLE] });

export const createdApiKey = fields
  .extend({ key: z.string().meta({ description: 'The key itself; shown only this once.' }) })
  .meta({ id: 'CreatedApiKey', examples: [{ ...EXAMPLE, key: 'parley_0aZ9…', last_used_at: null }] });

export const revokedApiKey = fields.extend({ revoked }).meta({
  id: 'RevokedApiKey',
  examples: [{ ...EXAMPLE, revoked: [{ id: '01890a5d-b1c2-4e1f-9d3a-5b6c7d8e9f01', name: 'Preview' }] }],
});

export const apiKeyJson = (key: ApiKey): z.input<typeof apiKey> => ({
  id: key.id,
  name: key.name,
  scopes: scopeNames(key),
  restricted: key.restricted,
  created_at: iso(key.createdAt!),
  expires_at: isoOrNull(key.expiresAt),
  last_used_at: isoOrNull(key.lastUsedAt),
  created_by: key.createdBy ? { id: key.createdBy.id, name: key.createdBy.name } : null,
});
