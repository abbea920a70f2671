import { expect, test } from '@jest/globals';
import { describeApi } from './openapi.ts';
import { routes } from './routes/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test walks through the document.
const document: any = JSON.parse(JSON.stringify(describeApi(routes, 'https://parley.example')));

test('every route is described, under an id of its own, with its parameters, its body and its answers', () => {
  const ids = new Set<string>();
  for (const route of routes) {
    const operation = document.paths[route.path.replace(/:(\w+)/g, '{$1}')][route.method.toLowerCase()];
    ids.add(operation.operationId);
    const inPath = operation.parameters.filter((p: { in: string }) => p.in === 'path');
    expect(inPath.map((p: { name: string }) => `:${p.name}`)).toEqual(route.path.match(/:\w+/g) ?? []);
    expect(inPath.every((p: { required: boolean }) => p.required)).toBe(true);
    expect('requestBody' in operation).toBe(route.body !== undefined);
    expect(Object.keys(operation.responses)).toEqual(
      expect.arrayContaining(['200', '400', '401', '403', '404', '503']),
    );
    expect(operation['x-parley-extension'] ?? false).toBe(route.extension ?? false);
  }
  expect(ids.size).toBe(routes.length);
});

test('what is not in the contract is marked as an extension', () => {
  const data = (path: string, method: string) =>
    document.paths[path][method].responses['200'].content['application/json'].schema.properties.data;
  const item = data('/knowledge/{id}', 'get').properties;
  expect(item.live_since['x-parley-extension']).toBe(true);
  expect(item.training['x-parley-extension']).toBe(true);
  expect(item.trained_at['x-parley-extension']).toBeUndefined();
  expect(data('/chatbot/{id}/reply', 'post').properties.sources['x-parley-extension']).toBe(true);
  expect(document.paths['/me'].get['x-parley-extension']).toBe(true);
});

test('every reference leads somewhere, and the server is the public address', () => {
  for (const [, reference] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const target = reference!.split('/').reduce((at, key) => at?.[key], document);
    expect(target).toBeDefined();
  }
  expect(document.servers).toEqual([{ url: 'https://parley.example/v1' }]);
});

test('limit is described as the number that it is', () => {
  const parameters = document.paths['/knowledge'].get.parameters as { name: string; schema: unknown }[];
  expect(parameters.find(({ name }) => name === 'limit')?.schema).toEqual({
    description: expect.any(String),
    type: 'integer',
    minimum: 1,
    maximum: 100,
  });
});
