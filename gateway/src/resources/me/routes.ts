import { z } from 'zod';
import { timestamp } from '../../fields/dates.ts';
import { route } from '../../route.ts';
import { restricted, scopes } from '../api-keys/json.ts';

const me = z
  .object({
    account: z.object({ id: z.string(), name: z.string() }),
    key: z.object({ id: z.string(), name: z.string(), scopes, restricted, expires_at: timestamp.nullable() }),
  })
  .meta({
    id: 'Me',
    examples: [
      {
        account: { id: '01890a5d-ac96-474b-8cce-b302099a8057', name: 'Acme' },
        key: {
          id: '01890a5d-b1c2-4e1f-9d3a-5b6c7d8e9f01',
          name: 'first',
          scopes: ['CHATBOTS_WRITE'],
          restricted: false,
          expires_at: null,
        },
      },
    ],
  });

export const getMe = route({
  method: 'GET',
  path: '/me',
  summary: 'Whose key this is, and what it may do',
  extension: true,
  scope: 'any key',
  restricted: 'no scope',
  response: me,
  call: async (_, { identity }) => identity,
  toJson: ({ account, key }) => ({
    account,
    key: {
      id: key.id,
      name: key.name,
      scopes: key.scopes,
      restricted: key.restricted,
      expires_at: key.expiresAt?.toISOString() ?? null,
    },
  }),
});
