import { Scope } from '@parley/proto/auth/v1/auth_service_pb';
import { z } from 'zod';
import { date, toTimestamp } from '../fields/dates.ts';
import { uuid } from '../fields/ids.ts';
import { optional, requiredText } from '../fields/text.ts';
import { list, route } from '../route.ts';
import { apiKey, apiKeyJson, createdApiKey, scopes } from './api-key-json.ts';

const guarded = { scope: 'API_KEYS_WRITE', extension: true } as const;

export const listApiKeys = list({
  ...guarded,
  path: '/api-keys',
  summary: "List the account's API keys, newest first",
  description:
    '`created_by` is the key that created a key; null if an operator did, or an earlier version recorded none.',
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
\`expires_at\` is required and must not be later. With an \`Idempotency-Key\`, the calling key gets the same answer again for
24 hours; every other key of the account gets 409.`,
  body: z.object({ name: requiredText(200), scopes, expires_at: optional(date) }).meta({
    examples: [{ name: 'Deployment', scopes: ['CHATBOTS_WRITE'], expires_at: '2027-01-01T00:00:00Z' }],
  }),
  response: createdApiKey,
  call: ({ body }, { auth }) =>
    auth.createApiKey({
      name: body.name,
      scopes: body.scopes.map((name) => Scope[name]),
      expiresAt: toTimestamp(body.expires_at),
    }),
  toJson: ({ apiKey, key }) => ({ ...apiKeyJson(apiKey!), key }),
});

export const revokeApiKey = route({
  ...guarded,
  method: 'DELETE',
  path: '/api-key/:id',
  summary: 'Revoke an API key; it stops working within ten seconds',
  description: 'A key revokes itself and keys whose scopes it holds; 403 names a scope that it lacks.',
  params: z.object({ id: uuid }),
  response: apiKey,
  call: ({ params }, { auth }) => auth.revokeApiKey(params),
  toJson: ({ apiKey }) => apiKeyJson(apiKey!),
});
