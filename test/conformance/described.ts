/** Compares all answers that the other files of this folder get with the OpenAPI description. Must be imported last. */
import { expect, test } from '@jest/globals';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { observers } from '../e2e/api.ts';
import { type DescribedOperation, described, resolved } from './description.ts';

const description = await described();
/** Statuses that tests provoke for every operation that has them. */
const PROVOKED = ['200', '400', '401', '403', '404', '413', '415'];

// Clients must accept unknown fields, but this system must describe what it sends.
const closed = JSON.parse(JSON.stringify(description), (_, value) =>
  value?.type === 'object' && value.properties ? { additionalProperties: false, ...value } : value,
);
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(closed, 'api');

const operations = description.operations.map(({ method, path, operation }) => ({
  name: `${method} ${path}`,
  method,
  operation,
  ids: path.split('{').length,
  matches: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]*')}/?$`),
  seen: new Set<string>(),
}));
// Where two templates match, that with fewer parameters is meant.
operations.sort((a, b) => a.ids - b.ids);

const problems = new Set<string>();

observers.push((method, path, { status, body }) => {
  const found = operations.find((one) => one.method === method && one.matches.test(path.replace(/\?.*$/s, '')));
  if (!found) return;
  found.seen.add(String(status));
  if (!(status in found.operation.responses)) return problems.add(`${found.name}: ${status} is not described`);
  const validate = validator(found.operation, status);
  if (validate && !validate(body)) problems.add(`${found.name}: ${status} ${ajv.errorsText(validate.errors)}`);
});

const validators = new Map<unknown, ValidateFunction | undefined>();

/** Undefined for files. */
function validator({ responses }: DescribedOperation, status: number): ValidateFunction | undefined {
  const response = resolved<Response & { $ref?: string }>(description, responses[status] as Response);
  if (!validators.has(response)) {
    const schema = response?.content?.['application/json']?.schema;
    validators.set(response, schema && ajv.compile(absolute(schema)));
  }
  return validators.get(response);
}

interface Response {
  content?: Record<string, { schema?: object }>;
}

const absolute = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"api#/'));

test('every answer to these tests is described, with its status and all of its fields', () => {
  expect([...problems]).toEqual([]);
});

/** Their tests send and receive files themselves. */
const OF_FILES = /\/(upload|file)$/;

test('every operation has been seen with the statuses that its description promises', () => {
  const unseen = operations
    .filter(({ name }) => !OF_FILES.test(name))
    .flatMap(({ name, operation, seen }) =>
      PROVOKED.filter((status) => status in operation.responses && !seen.has(status)).map(
        (status) => `${name}: ${status}`,
      ),
    );
  expect(unseen).toEqual([]);
});
