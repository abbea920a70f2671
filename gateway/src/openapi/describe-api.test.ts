import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describedRoutes as routes } from '../resources/index.ts';
import { describedPath, type Route } from '../route.ts';
import { describeApi } from './describe-api.ts';
import { failuresOf } from './failures.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test walks through the document.
const document: any = JSON.parse(JSON.stringify(describeApi(routes, 'https://parley.example')));
const { schemas } = document.components;

const operationOf = ({ method, ...route }: Pick<Route, 'method' | 'path'> & Partial<Route>) =>
  document.paths[describedPath({ access: 'key', ...route }).replace(/:(\w+)/g, '{$1}')][method.toLowerCase()];
const each = routes.map((route) => [route.name, route, operationOf(route)] as const);

/** `{name}` stands for any parameter. */
const CONTRACT = `
  GET /knowledge
  GET /knowledge/{}
  GET /knowledge/{}/sub-pages
  GET /knowledge/{}/faq-items
  POST /knowledge/website
  POST /knowledge/video
  POST /knowledge/document
  POST /knowledge/{}/finalize
  GET /knowledge/{}/finalize
  POST /knowledge/faq
  POST /knowledge/{}/faq-item
  PUT /knowledge/{}/upload
  DELETE /knowledge/{}
  DELETE /knowledge/{}/faq-item/{}
  PUT /knowledge/{}/train
  GET /chatbots
  GET /chatbot/{}
  POST /chatbot/{}/reply
  GET /chatbot/{}/knowledge
  PUT /chatbot/{}/knowledge
  DELETE /chatbot/{}/knowledge
  GET /chatbot/{}/chats
  GET /chatbot/{}/chats/{}
  PUT /chatbot/{}/chats/{}/block
  GET /ticket-forms
  GET /ticket-form/{}
  GET /ticket-form/{}/knowledge
  PUT /ticket-form/{}/knowledge
  DELETE /ticket-form/{}/knowledge
  GET /ticket-form/{}/tickets
  GET /ticket-form/{}/tickets/{}
  PUT /ticket-form/{}/tickets/{}/block
  PUT /ticket-form/{}/tickets/{}
  POST /ticket-form/{}/tickets/{}/reply
  GET /email-inboxes
  GET /email-inbox/{}
  GET /email-inbox/{}/knowledge
  PUT /email-inbox/{}/knowledge
  DELETE /email-inbox/{}/knowledge
  GET /email-inbox/{}/emails
  GET /email-inbox/{}/emails/{}
  PUT /email-inbox/{}/emails/{}/block
  PUT /email-inbox/{}/emails/{}
  POST /email-inbox/{}/emails/{}/reply`
  .trim()
  .split(/\n\s*/);

test('the operations of the contract are described without the mark of an extension, all others with it', () => {
  const unmarked = Object.entries<Record<string, Record<string, unknown>>>(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method, operation]) => method !== 'servers' && !operation['x-parley-extension'])
      .map(([method]) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`),
  );
  expect(unmarked.sort()).toEqual([...CONTRACT].sort());
});

test.each(each)('%s has its parameters, its body and its failures, and no others', (_, route, operation) => {
  const inPath = operation.parameters.filter((p: { in?: string }) => p.in === 'path');
  expect(inPath.map((p: { name: string }) => `:${p.name}`)).toEqual(route.path.match(/:\w+/g) ?? []);
  expect(inPath.every((p: { required: boolean }) => p.required)).toBe(true);
  expect(inPath.every((p: { description?: string }) => p.description)).toBe(true);
  expect(Object.keys(operation.responses)).toEqual(['200', ...failuresOf(route).map(String)]);
  expect(operation['x-parley-extension'] ?? false).toBe(route.extension ?? false);
});

test.each(each)('%s answers with a named schema, a list of it, or a file', (_, route, operation) => {
  if (route.produces !== 'json' || !route.response) return;
  const { data } = operation.responses['200'].content['application/json'].schema.properties;
  expect((data.items ?? data).$ref).toMatch(/^#\/components\/schemas\/[A-Z]\w+$/);
});

test('every operation has an id of its own', () => {
  const names = routes.map(({ name }) => name);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});

test('fields that are not in the contract are marked as extensions', () => {
  const marked = (name: string, field: string) => schemas[name].properties[field]['x-parley-extension'];
  expect(marked('KnowledgeItem', 'live_since')).toBe(true);
  expect(marked('KnowledgeItem', 'training')).toBe(true);
  expect(marked('KnowledgeItem', 'trained_at')).toBeUndefined();
  for (const field of ['sources', 'confidence']) expect(marked('Reply', field)).toBe(true);
  expect(
    operationOf({ method: 'POST', path: '/chatbot/:id/reply' }).responses['200'].content['text/event-stream'],
  ).toMatchObject({
    example: expect.stringMatching(
      /^event: sources\ndata: \[.*\]\n\nevent: token\ndata: \{.*\}\n\nevent: done\ndata: \{.*\}\n\n$/,
    ),
    'x-parley-extension': true,
  });
  for (const assistant of ['Chatbot', 'TicketForm', 'EmailInbox'])
    for (const field of ['greeting', 'tone', 'no_evidence_message', 'low_confidence_message', 'faq_first'])
      expect(marked(assistant, field)).toBe(true);
});

test('every reference resolves, and the server is the public address', () => {
  for (const [, reference] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const target = reference!.split('/').reduce((at, key) => at?.[key], document);
    expect(target).toBeDefined();
  }
  const servers = [{ url: 'https://parley.example' }];
  for (const [path, item] of Object.entries<{ servers?: unknown }>(document.paths))
    expect([path, item.servers]).toEqual([path, path.startsWith('/public/') ? servers : undefined]);
  expect(document.servers).toEqual([{ url: 'https://parley.example/v1', description: expect.any(String) }]);
});

test('a body is required unless the operation works without any of its fields', () => {
  for (const [name, { body }, { requestBody }] of each)
    if (body) expect([name, requestBody.required]).toEqual([name, !body.safeParse({}).success]);
  expect(operationOf({ method: 'PATCH', path: '/chatbot/:id' }).requestBody.required).toBe(false);
  expect(operationOf({ method: 'PUT', path: '/ticket-form/:id/tickets/:ticket_id' }).requestBody.required).toBe(true);
});

test('limit is described as a number', () => {
  const parameters = document.paths['/knowledge'].get.parameters as { name: string; schema: unknown }[];
  expect(parameters.find(({ name }) => name === 'limit')).toEqual({
    name: 'limit',
    in: 'query',
    description: expect.any(String),
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 100 },
  });
});

test('what is sent and what is answered has examples, and every example is valid', () => {
  const ajv = formats.default(new Ajv2020({ strict: false, allErrors: true }));
  ajv.addSchema(document, 'api');
  const used = (part: string) => [
    ...JSON.stringify(document.paths).matchAll(new RegExp(`"${part}":"[^"]+/(\\w+)"`, 'g')),
  ];
  const top = new Set(
    used('\\$ref')
      .map(([, name]) => name!)
      .filter((name) => name in schemas),
  );
  for (const name of top) expect([name, schemas[name].examples?.length > 0]).toEqual([name, true]);
  for (const [name, { examples = [] }] of Object.entries<{ examples?: unknown[] }>(schemas)) {
    const validate = ajv.getSchema(`api#/components/schemas/${name}`)!;
    for (const example of examples) {
      validate(example);
      expect({ name, errors: validate.errors }).toEqual({ name, errors: null });
      // Responses may have more fields; their examples must not.
      const known = propertiesOf(name);
      expect({ name, unknown: Object.keys(example as object).filter((key) => known && !known.includes(key)) }).toEqual({
        name,
        unknown: [],
      });
    }
  }
});

const propertiesOf = (name: string): string[] | undefined =>
  schemas[name].properties && Object.keys(schemas[name].properties);
