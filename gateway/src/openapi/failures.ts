import type { Route } from '../route.ts';
import { restrictedTo } from '../scopes.ts';
import { type HeaderName, headers } from './headers.ts';
import type { Json } from './schemas.ts';

interface Failure {
  /** Names the response in `components`. */
  name: string;
  description: string;
  /** A `message`. */
  example: string;
  headers?: HeaderName[];
}

const FAILURES: Record<number, Failure> = {
  400: {
    name: 'BadRequest',
    description:
      'An id, a parameter or a field of the body is malformed, or the current state does not allow the request.',
    example: 'title is required.',
  },
  401: {
    name: 'Unauthorized',
    description: 'The API key, or the token of a visitor, is missing or not valid.',
    example: 'The API key is not valid.',
    headers: ['WWW-Authenticate'],
  },
  403: {
    name: 'Forbidden',
    description:
      'The API key lacks the scope, the resource belongs to another account, or the account has as much as it may (see Limits); for visitors: the page may not show the chatbot, or the visitor is blocked.',
    example: 'This API key lacks the scope CHATBOTS_WRITE.',
  },
  404: {
    name: 'NotFound',
    description: 'There is no such resource.',
    example: 'There is no such chatbot.',
  },
  408: {
    name: 'RequestTimeout',
    description: 'The body took too long to arrive.',
    example: 'The request took too long to arrive.',
  },
  409: {
    name: 'Conflict',
    description: 'The Idempotency-Key was used for another request, or its request is still under way.',
    example: 'This Idempotency-Key was used for another request. Use a new one.',
    headers: ['Retry-After'],
  },
  413: {
    name: 'ContentTooLarge',
    description: 'The body is too large.',
    example: 'The body must have at most 1,048,576 bytes (1 MiB).',
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body is not JSON in UTF-8.',
    example: 'The body must be JSON in UTF-8, sent as Content-Type: application/json.',
  },
  429: {
    name: 'TooManyRequests',
    description: 'Too many requests, bytes in flight, failed authentications, or messages of visitors.',
    example: 'This API key may send 600 requests a minute. Try again in 42 s.',
    headers: ['Retry-After', 'RateLimit-Policy', 'RateLimit'],
  },
  503: {
    name: 'ServiceUnavailable',
    description: 'A part of the system is unavailable or overloaded.',
    example: 'The service is unavailable. Try again in a moment.',
    headers: ['Retry-After'],
  },
};

/** Returns whether an Idempotency-Key counts. */
export const isRepeatable = ({ access, method }: Pick<Route, 'access' | 'method'>): boolean =>
  method === 'POST' && (access === 'key' || access === 'visitor');

/** The statuses, besides 200, with which the operation may respond. */
export function failuresOf(route: Route): number[] {
  const { access, consumes, method, visitor, params, query, body, errors = {} } = route;
  const has = (fields: Route['params']) => Object.keys(fields.shape).length > 0;
  const byKey = access === 'key';
  const sends = body !== undefined || consumes === 'upload';
  const statuses: [status: number, applies: boolean][] = [
    // The Idempotency-Key of a POST may be malformed or taken.
    [400, has(params) || has(query) || body !== undefined || method === 'POST'],
    [401, byKey || visitor !== undefined],
    [403, restrictedTo(route).length > 0 || has(params)],
    [404, has(params)],
    [408, sends],
    [409, isRepeatable(route)],
    [413, sends],
    [415, body !== undefined],
    [429, access !== 'none'],
    [503, access !== 'none'],
  ];
  const derived = statuses.filter(([, applies]) => applies).map(([status]) => status);
  return [...new Set([...derived, ...Object.keys(errors).map(Number)])].sort((a, b) => a - b);
}

/** The responses to them. What the route says about a status replaces the general description. */
export const failures = (route: Route): Json =>
  Object.fromEntries(
    failuresOf(route).map((status) => {
      const reference = { $ref: `#/components/responses/${FAILURES[status]!.name}` };
      const description = route.errors?.[status];
      return [status, description ? response({ ...FAILURES[status]!, description }) : reference];
    }),
  );

/** All of them, for `components`. */
export const FAILURE_RESPONSES: Json = Object.fromEntries(
  Object.values(FAILURES).map((failure) => [failure.name, response(failure)]),
);

function response({ description, example, headers: names = [] }: Failure): Json {
  return {
    description,
    headers: headers('X-Request-Id', ...names),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Failure' },
        example: { success: false, message: example },
      },
    },
  };
}

/** The schema of every failed request. */
export const FAILURE_SCHEMA: Json = {
  description: 'The response to every request that fails.',
  type: 'object',
  properties: {
    success: { const: false },
    message: { type: 'string', description: 'A sentence that names the field, the scope or the resource.' },
  },
  required: ['success', 'message'],
  examples: [{ success: false, message: 'title is required.' }],
};
