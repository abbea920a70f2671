import { z } from 'zod';
import { timestamp } from '../fields/dates.ts';
import { route } from '../route.ts';
import { scopes } from './api-key-json.ts';

export const getMe = route({
  method: 'GET',
  path: '/me',
  summary: 'Whose key this is, and what it may do',
  extension: true,
  response: z.object({
    account: z.object({ id: z.string(), name: z.string() }),
    key: z.object({ id: z.string(), name: z.string(), scopes, expires_at: timestamp.nullable() }),
  }),
  call: async (_, { identity: { account, key } }) => ({
    account,
    key: { id: key.id, name: key.name, scopes: key.scopes, expires_at: key.expiresAt?.toISOString() ?? null },
  }),
});
