import { Scope } from '@parley/proto/auth/v1/auth_service_pb';
import { z } from 'zod';
import { date, toTimestamp } from '../../fields/dates.ts';
import { uuid } from '../../fields/ids.ts';
import { once } from '../../fields/list.ts';
import { optional, requiredText } from '../../fields/text.ts';
import { list, route } from '../../route.ts';
import { apiKey, apiKeyJson, createdApiKey, restricted, revokedApiKey, scopes } from './json.ts';

const guarded = { scope: 'API_KEYS_WRITE', extension: true } as const;

export const listApiKeys = list({
  ...guarded,
  path: '/api-keys',
  summary: "List the account's API keys, newest first",
  description: '`created_by` is the key that created a key, also after that was revoked; null if an operator did.',
  item: apiKey,
  toJson: apiKeyJson,
  call: ({ page }, { auth }) => auth.listApiKeys(page),
});

export const createApiKey = route({
  ...guarded,
  method: 'POST',
  path: '/api-keys',
  showsSecret: true,
  summary: 'Create an API key with scopes of the calling key',
  description: `\`key\` is random and shown only in this answer. A scope that the calling key lacks is 403. If the calling key expires,
\`expires_at\` is required and must not be later. With \`restricted: true\` the key may do only what its scopes say: nothing is
free but \`GET /me\`. A scope for writing includes reading the same; reading assistants needs any scope for that kind. Only such
keys have the scopes \`KNOWLEDGE_READ\`, \`KNOWLEDGE_WRITE\`, \`CHATS_READ\`, \`CHATS_REPLY\`, \`TICKETS_READ\` and
\`EMAILS_READ\`, which any other key may grant. A restricted key creates only restricted keys. With an \`Idempotency-Key\`, the calling key gets the same answer again for
24 hours; every other key of the account gets 409.`,
  body: z
    .object({ name: requiredText(200), scopes, restricted: optional(restricted), expires_at: optional(date) })
    .meta({
      examples: [{ name: 'Web shop', scopes: ['CHATS_REPLY'], restricted: true, expires_at: '2027-01-01T00:00:00Z' }],
    }),
  response: createdApiKey,
  call: ({ body }, { auth }) =>
    auth.createApiKey({
      name: body.name,
      scopes: body.scopes.map((name) => Scope[name]),
      restricted: body.restricted ?? false,
      expiresAt: toTimestamp(body.expires_at),
    }),
  toJson: ({ apiKey, key }) => ({ ...apiKeyJson(apiKey!), key }),
});

const keepCreated = once('true or false')
  .regex(/^(true|false)$/, 'must be true or false')
  .optional()
  .meta({ description: 'Leave the keys that it created as they are.', type: 'boolean', pattern: undefined });

export const revokeApiKey = route({
  ...guarded,
  method: 'DELETE',
  path: '/api-key/:id',
  summary: 'Revoke an API key and the keys it created; they stop working within ten seconds',
  description: `A key revokes itself and keys whose scopes it holds; 403 names a scope that it lacks. A restricted key revokes only
restricted keys. The keys that the revoked key created, and those that these created, are revoked with it, and listed in
\`revoked\`; with \`keep_created=true\` they stay. What is stored of a revoked key is removed after seven days.`,
  params: z.object({ id: uuid }),
  query: z.object({ keep_created: keepCreated }),
  response: revokedApiKey,
  call: ({ params, query }, { auth }) => auth.revokeApiKey({ ...params, keepCreated: query.keep_created === 'true' }),
  toJson: ({ apiKey, revoked }) => ({ ...apiKeyJson(apiKey!), revoked: revoked.map(({ id, name }) => ({ id, name })) }),
});
