import { z } from 'zod';
import type { Route } from './route.ts';

type Json = Record<string, unknown>;

const DESCRIPTION = `The REST API of Parley: knowledge, the assistants that answer from it, and their conversations.

Every answer is \`{success: true, data}\` or \`{success: false, message}\`, where the message is a sentence that names the
field, the scope or the resource. What is marked \`x-parley-extension\` is not in the original contract.

Checks come in this order: key (401), rate (429), path (404), method (405), scope (403), size (413), type (415), form of
ids, query and body (400), existence (404), ownership (403), conflict (409). A body is a JSON object in UTF-8 of at most
1 MiB. \`null\` for an optional field counts as its absence; unknown fields and query parameters are ignored. Lengths
are in code points.

Lists are keyset paged: nothing is shown twice or skipped while others come and go. \`next_cursor\` belongs to its list,
parent and filter, and never expires.

An \`Idempotency-Key\` on a POST (1 to 255 printable ASCII characters) makes it safe to repeat for 24 hours: the same
request gets the same answer with \`Idempotent-Replayed: true\`, another request under the same key is 409. While the
first is under way its repetition waits for it, and after twelve seconds is 409 with \`Retry-After\`. Every
response carries \`X-Request-Id\`; a caller's own is kept where it matches \`[A-Za-z0-9._-]{1,64}\`. \`RateLimit-Policy\`
and \`RateLimit\` say how much a key has left; the count is kept in batches, so a key may be refused a little early
where several gateways serve it.`;

const FAILURES: Record<string, string> = {
  '400': 'A malformed id, query or body, or a request that the state of things does not allow.',
  '401': 'The API key is missing or not valid.',
  '403': 'The key lacks the scope, or the resource belongs to another account.',
  '404': 'There is no such resource.',
  '409': 'The Idempotency-Key was used for another request, or the change conflicts with another.',
  '413': 'The body is too large.',
  '415': 'The body is not JSON in UTF-8.',
  '429': 'Too many requests; `Retry-After` says when to come back.',
  '503': 'A part of the system is away; `Retry-After` says when to come back.',
};

/** The OpenAPI 3.1 description of the routes, from the schemas that validate them. */
export const describeApi = (routes: readonly Route[], publicUrl = ''): Json => ({
  openapi: '3.1.0',
  info: { title: 'Parley', version: '1', description: DESCRIPTION },
  servers: [{ url: `${publicUrl}/v1` }],
  security: [{ apiKey: [] }],
  paths: pathsOf(routes),
  components: {
    securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
    schemas: {
      Failure: {
        type: 'object',
        properties: { success: { const: false }, message: { type: 'string' } },
        required: ['success', 'message'],
      },
    },
    responses: Object.fromEntries(
      Object.entries(FAILURES).map(([status, description]) => [
        status,
        { description, content: content({ $ref: '#/components/schemas/Failure' }) },
      ]),
    ),
  },
});

function pathsOf(routes: readonly Route[]): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return paths;
}

function operation(route: Route): Json {
  const { method, path, summary, scope, extension, body, response } = route;
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[/:_-]+(\w)/g, (_, first: string) => first.toUpperCase())}`,
    tags: [path.split('/')[1]],
    summary,
    ...(scope && { description: `Needs the scope ${scope}.` }),
    ...(extension && { 'x-parley-extension': true }),
    parameters: [...parameters('path', route.params), ...parameters('query', route.query), ...headers(method)],
    ...(body && { requestBody: { required: true, content: content(schema(body, 'input')) } }),
    responses: {
      '200': { description: 'Done.', content: content(envelope(response)) },
      ...Object.fromEntries(
        Object.keys(FAILURES).map((status) => [status, { $ref: `#/components/responses/${status}` }]),
      ),
    },
  };
}

function parameters(place: 'path' | 'query', fields: z.ZodObject): Json[] {
  const { properties = {}, required = [] } = schema(fields, 'input') as { properties?: Json; required?: string[] };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: property,
  }));
}

const headers = (method: string): Json[] =>
  method === 'POST'
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          schema: { type: 'string', minLength: 1, maxLength: 255 },
          'x-parley-extension': true,
        },
      ]
    : [];

const envelope = (response: z.ZodType | undefined): Json => ({
  type: 'object',
  properties: { success: { const: true }, ...(response && { data: schema(response, 'output') }) },
  required: response ? ['success', 'data'] : ['success'],
});

const content = (schema: Json): Json => ({ 'application/json': { schema } });

function schema(of: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema, ...rest } = z.toJSONSchema(of, { io, unrepresentable: 'any' });
  return rest;
}
