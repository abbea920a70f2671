import { z } from 'zod';
import type { Profile } from '../../public/visitor-tokens.ts';

const unknown = 'Null if it is unknown.';

export const visitor = z
  .object({
    name: z.string().nullable().meta({ description: unknown }),
    email: z.string().nullable().meta({ description: unknown }),
    user_id: z
      .string()
      .nullable()
      .meta({ description: `The visitor's id on the page. ${unknown}` }),
    verified: z
      .boolean()
      .meta({ description: 'Whether the page vouches for all of this; otherwise the visitor says so.' }),
  })
  .meta({
    id: 'Visitor',
    examples: [{ name: 'Ann', email: 'ann@example.com', user_id: 'u-4711', verified: true }],
  });

export const visitorJson = ({ name, email, userId, verified }: Profile): z.input<typeof visitor> => ({
  name: name || null,
  email: email || null,
  user_id: userId || null,
  verified,
});
