import type { z } from 'zod';
import type { AnswerKind, NamedRoute } from '../route.ts';
import { restrictedTo, scopeOf } from '../scopes.ts';
import { failures, isRepeatable } from './failures.ts';
import { headers } from './headers.ts';
import type { Json, Schemas } from './schemas.ts';
import { streamContent } from './stream.ts';
import { tagOf } from './tags.ts';

/** The description of one route. */
export function operation(route: NamedRoute, schemas: Schemas): Json {
  const { access, name, summary, extension } = route;
  const description = [needs(route), route.description].filter(Boolean).join(' ');
  return {
    operationId: name,
    tags: [tagOf(route)],
    summary,
    ...(description && { description }),
    ...(extension && EXTENSION),
    ...security(route),
    parameters: [
      ...parameters('path', route.params, schemas),
      ...parameters('query', route.query, schemas),
      ...(access === 'upload' ? SIGNATURE : []),
      ...(isRepeatable(route) ? [IDEMPOTENCY_KEY] : []),
    ],
    ...requestBody(route, schemas),
    responses: { 200: SUCCESS[route.produces](route, schemas), ...failures(route) },
  };
}

const EXTENSION = { 'x-parley-extension': true };

/** The key of an operation, with the scope that it needs as its role, or the token of a visitor; nothing for others. */
function security(route: NamedRoute): Json {
  const { access, visitor } = route;
  if (visitor) return { security: [{ visitorToken: [] }, ...(visitor === 'known' ? [] : [{}])] };
  if (access !== 'key') return { security: [] };
  const scope = scopeOf(route);
  return scope ? { security: [{ apiKey: [scope] }] } : {};
}

function needs(route: NamedRoute): string | undefined {
  const scope = scopeOf(route);
  if (scope) return `Needs the scope \`${scope}\`.`;
  const restricted = restrictedTo(route).map((name) => `\`${name}\``);
  return restricted.length > 0 ? `A restricted key needs the scope ${restricted.join(' or ')}.` : undefined;
}

function parameters(place: 'path' | 'query', fields: z.ZodObject, schemas: Schemas): Json[] {
  const { properties = {}, required = [] } = schemas.describe(fields, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    ...(description !== undefined && { description }),
    required: required.includes(name),
    schema,
  }));
}

const IDEMPOTENCY_KEY: Json = { $ref: '#/components/parameters/IdempotencyKey' };

/** Parameters that operations share, for `components`. */
export const SHARED_PARAMETERS: Json = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Makes it safe to retry for 24 hours: 1 to 255 printable ASCII characters.',
    required: false,
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
    ...EXTENSION,
  },
};

/** The query of a signed address. */
const SIGNATURE: Json[] = ['account', 'expires', 'signature'].map((name) => ({
  name,
  in: 'query',
  description: 'As it is in `upload_url`.',
  required: true,
  schema: { type: 'string' },
}));

const FILE: Json = { schema: { type: 'string', format: 'binary' } };

function requestBody({ name, body, consumes }: NamedRoute, schemas: Schemas): Json {
  if (consumes === 'upload') return { requestBody: { required: true, content: { 'application/octet-stream': FILE } } };
  if (!body) return {};
  const schema = schemas.describeAs(`${capitalised(name)}Request`, body, 'input');
  // No body is the same as one without fields, which changes nothing in a PATCH.
  const required = !body.safeParse({}).success;
  const content = {
    'application/json': { schema },
    ...(consumes === 'form' && { 'multipart/form-data': FORM(schema) }),
  };
  return { requestBody: { required, content } };
}

/** The fields of the body as parts, and files. */
const FORM = (fields: Json): Json => ({
  schema: {
    allOf: [
      fields,
      {
        type: 'object',
        properties: { files: { type: 'array', maxItems: 5, items: { type: 'string', format: 'binary' } } },
      },
    ],
  },
  encoding: { answers: { contentType: 'application/json' } },
});

const capitalised = (name: string): string => `${name[0]!.toUpperCase()}${name.slice(1)}`;

const SUCCESS: { [K in AnswerKind]: (route: NamedRoute, schemas: Schemas) => Json } = {
  json(route, schemas) {
    const data = route.response && schemas.describe(route.response, 'output');
    return {
      description: data ? 'Success, with the result in `data`.' : 'Success, without `data`.',
      headers: successHeaders(route),
      content: { 'application/json': { schema: envelope(data) }, ...streamContent(route, schemas) },
    };
  },
  file: (route) => ({
    description: 'The file.',
    headers: successHeaders(route),
    content: Object.fromEntries((route.mediaTypes ?? ['application/octet-stream']).map((type) => [type, FILE])),
  }),
};

const successHeaders = (route: NamedRoute): Json =>
  headers(
    'X-Request-Id',
    ...(route.access === 'key' ? (['RateLimit-Policy', 'RateLimit'] as const) : []),
    ...(isRepeatable(route) ? (['Idempotent-Replayed'] as const) : []),
  );

const envelope = (data: Json | undefined): Json => ({
  type: 'object',
  properties: { success: { const: true }, ...(data && { data }) },
  required: data ? ['success', 'data'] : ['success'],
});
