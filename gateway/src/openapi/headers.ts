import type { Json } from './schemas.ts';

const text = (description: string, example: string, more: Json = {}): Json => ({
  description,
  schema: { type: 'string' },
  example,
  ...more,
});

/** The headers of responses, for `components`. */
export const HEADERS = {
  'X-Request-Id': text(
    'Identifies the request in the logs. The one that the request carried, if it matches `[A-Za-z0-9._-]{1,64}`.',
    '0b8a2f60-4c52-8d0e-9b1f-5d0f4a1f7c11',
    { schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' } },
  ),
  'RateLimit-Policy': text(
    'The rate limits of the API key (`default`) and of its account (`account`): `q` requests in `w` seconds. A limit that is switched off is absent.',
    '"default";q=600;w=60, "account";q=3000;w=60',
  ),
  RateLimit: text(
    'What is left of each: `r` requests until the next window begins in `t` seconds.',
    '"default";r=570;t=42, "account";r=2850;t=42',
  ),
  'Retry-After': {
    description: 'After how many seconds to try again. On a 409 only if the same request is still under way.',
    schema: { type: 'integer', minimum: 1 },
    example: 2,
  },
  'WWW-Authenticate': text('How to authenticate: with an API key, or a visitor token.', 'Bearer', {
    schema: { enum: ['Bearer', 'Visitor-Token'] },
  }),
  'Idempotent-Replayed': text('Present if this is the response to an earlier request with the same key.', 'true', {
    schema: { const: 'true' },
    'x-parley-extension': true,
  }),
} satisfies Record<string, Json>;

export type HeaderName = keyof typeof HEADERS;

export const headers = (...names: HeaderName[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
