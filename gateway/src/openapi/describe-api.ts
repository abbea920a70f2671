import { describedPath, type NamedRoute, type Route } from '../route.ts';
import { DESCRIPTION } from './about.ts';
import { FAILURE_RESPONSES, FAILURE_SCHEMA } from './failures.ts';
import { HEADERS } from './headers.ts';
import { operation, SHARED_PARAMETERS } from './operation.ts';
import { createSchemas, type Json } from './schemas.ts';
import { tagsOf } from './tags.ts';

/** The OpenAPI 3.1 description of the routes, from the schemas that validate them. */
export function describeApi(routes: readonly NamedRoute[], publicUrl = ''): Json {
  const schemas = createSchemas();
  const paths: Record<string, Json> = {};
  for (const route of [...routes].sort(inOrder)) {
    const path = describedPath(route).replace(/:(\w+)/g, '{$1}');
    const servers = route.access === 'visitor' && { servers: [{ url: publicUrl || '/' }] };
    paths[path] = { ...servers, ...paths[path], [route.method.toLowerCase()]: operation(route, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley',
      version: '1',
      summary: 'The REST API of a self-hosted platform of AI assistants.',
      description: DESCRIPTION,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${publicUrl}/v1`, description: 'This system.' }],
    security: [{ apiKey: [] }],
    tags: tagsOf(routes),
    paths,
    components: {
      securitySchemes: {
        visitorToken: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Visitor-Token',
          description:
            'The `visitor_token` of a reply to a visitor, or of `identify`. It is good for thirty days, for one conversation with one chatbot.',
        },
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key of the account: `Authorization: Bearer parley_…`. Some operations need a scope on it, which is listed with them; a restricted key needs a scope for all of them but `GET /me`.',
        },
      },
      schemas: { ...sorted(schemas.named), Failure: FAILURE_SCHEMA },
      parameters: SHARED_PARAMETERS,
      headers: HEADERS,
      responses: FAILURE_RESPONSES,
    },
  };
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Collections, then their items, then what belongs to these. */
function inOrder(a: Route, b: Route): number {
  const [one, other] = [describedPath(a), describedPath(b)];
  const depth = (path: string) => path.split('/').length;
  const byPath = depth(one) - depth(other) || (one < other ? -1 : Number(one > other));
  return byPath || METHODS.indexOf(a.method) - METHODS.indexOf(b.method);
}

const sorted = (schemas: Record<string, Json>): Record<string, Json> =>
  Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
