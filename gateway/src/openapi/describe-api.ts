import { CATALOGUE, EVENT_NAMES, type EventName } from '@parley/catalogue';
import { webhookBodies } from '../resources/events/json.ts';
import { describedPath, type NamedRoute, type Route } from '../route.ts';
import { DESCRIPTION } from './about.ts';
import { FAILURE_RESPONSES, FAILURE_SCHEMA } from './failures.ts';
import { HEADERS } from './headers.ts';
import { operation, SHARED_PARAMETERS } from './operation.ts';
import { createSchemas, type Json, type Schemas } from './schemas.ts';
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
    webhooks: Object.fromEntries(EVENT_NAMES.map((name) => [name, { post: webhook(name, schemas) }])),
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

/** Returns what is sent to the account's own endpoints when something happens. */
function webhook(name: EventName, schemas: Schemas): Json {
  const { summary, version } = CATALOGUE[name];
  const id = name.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());
  const schema = schemas.describeAs(`${id}Event`, webhookBodies[name]!, 'output');
  return {
    operationId: `on${id}`,
    tags: ['Events'],
    summary,
    description: `Version ${version} of its \`data\`. \`GET /events\` has it, too.`,
    'x-parley-extension': true,
    security: [],
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { '2XX': { description: 'Received.' } },
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
