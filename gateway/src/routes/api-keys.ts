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
  item: apiKey,
  toJson: apiKeyJson,
  call: ({ page }, { auth }) => auth.listApiKeys(page),
});

export const createApiKey = route({
  ...guarded,
  method: 'POST',
  path: '/api-keys',
  summary: 'Create an API key, which may hold the scopes of the calling key',
  body: z.object({ name: requiredText(200), scopes, expires_at: optional(date) }),
  response: createdApiKey,
  call: async ({ body }, { auth }) => {
    const made = await auth.createApiKey({
      name: body.name,
      scopes: body.scopes.map((name) => Scope[name]),
      expiresAt: toTimestamp(body.expires_at),
    });
    return { ...apiKeyJson(made.apiKey!), key: made.key };
  },
});

export const revokeApiKey = route({
  ...guarded,
  method: 'DELETE',
  path: '/api-key/:id',
  summary: 'Revoke an API key; it stops working within ten seconds',
  params: z.object({ id: uuid }),
  response: apiKey,
  call: async ({ params }, { auth }) => {
    const revoked = await auth.revokeApiKey(params);
    return apiKeyJson(revoked.apiKey!);
  },
});
