import fc from 'fast-check';
import { type Description, type JsonSchema, resolved } from '../conformance/description.ts';
import { isForVisitors } from '../conformance/operations.ts';
import { fromSchema, type Known } from './from-schema.ts';
import { type Targets, TOKEN, targetsFor } from './targets.ts';
import { texts } from './values.ts';

/** A request as it goes over the wire, but for what every HTTP client adds. */
export interface Attack {
  method: string;
  /** Relative to `/v1`, or absolute for visitors; encoded, with the query. */
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer;
}

/** The attacker's means. */
export interface Armed {
  description: Description;
  key: string;
  targets: Targets;
  /** Ids that another account owns. */
  foreign: string[];
}

type Operation = Description['operations'][number];

interface Parameter {
  $ref?: string;
  name?: string;
  in?: string;
  schema?: JsonSchema;
}

/** Requests to one operation, in most of which something is wrong. */
export function attacksOn({ method, path, operation }: Operation, armed: Armed): fc.Arbitrary<Attack> {
  const { description, targets, foreign } = armed;
  const known: Known = {
    resolve: (schema) => resolved(description, schema)!,
    ids: [...Object.values(targets).flat(), ...foreign],
  };
  const parameters = (operation.parameters ?? []).map((one) => resolved<Parameter>(description, one)!);
  const content = Object.values(operation.requestBody?.content ?? {})[0];
  return fc
    .record({
      path: paths(path, armed),
      query: queries(
        parameters.filter((one) => one.in === 'query'),
        known,
      ),
      headers: isForVisitors(path)
        ? fc.tuple(headers(armed.key, content !== undefined), visitorHeaders(targets[TOKEN] ?? [])).map(merged)
        : headers(armed.key, content !== undefined),
      body: content ? bodies(content.schema ?? {}, known) : unexpectedBodies,
    })
    .map(({ path, query, headers, body }) => ({
      method,
      path: query === '' ? path : `${path}?${query}`,
      headers,
      ...(body !== undefined && { body }),
    }));
}

/** Percent-encodes everything but letters and digits; half of a surrogate pair becomes what a careless client sends. */
const encoded = (text: string): string =>
  [...Buffer.from(text, 'utf8')]
    .map((byte) => (/\w/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : `%${hex(byte)}`))
    .join('');

const hex = (byte: number): string => byte.toString(16).padStart(2, '0');

/** Longer ones would be refused for their headers, before any route sees them. */
const MAX_IN_PATH = 1_000;
const MALFORMED = ['%', '%ZZ', '%ff', '%ed%a0%80', '%c0%af', '%2', '..', '.', ';a=b', '//'];

/** Never empty: without its last segment, a path is another one. */
const inPath = fc.oneof(
  { weight: 4, arbitrary: texts.map((text) => encoded(text.slice(0, MAX_IN_PATH)) || '%20') },
  { weight: 1, arbitrary: fc.constantFrom(...MALFORMED) },
);

/** Fills the parameters of a path: mostly with ids that lead somewhere. */
function paths(template: string, { targets, foreign }: Armed): fc.Arbitrary<string> {
  const all = Object.values(targets).flat();
  const segments = template.split('/').map((segment) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined) return fc.constant(segment);
    return fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...targetsFor(targets, template, name)) },
      { weight: 1, arbitrary: fc.constantFrom(...all) },
      { weight: 1, arbitrary: fc.constantFrom(...foreign) },
      { weight: 1, arbitrary: fc.uuid() },
      { weight: 2, arbitrary: inPath },
    );
  });
  return fc.tuple(...segments).map((parts) => parts.join('/'));
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function queries(parameters: Parameter[], known: Known): fc.Arbitrary<string> {
  const pairs = parameters.map(({ name = '', schema = {} }) => {
    const value = fromSchema(schema, known).map((one) => encoded(asText(one).slice(0, MAX_IN_PATH)));
    const pair = fc.oneof(value, inPath).map((text) => `${name}=${text}`);
    return fc.oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      { weight: 2, arbitrary: pair.map((one) => [one]) },
      { weight: 1, arbitrary: fc.array(pair, { minLength: 2, maxLength: 3 }) },
    );
  });
  const unknown = fc.oneof(
    { weight: 4, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(inPath, { maxLength: 3 }) },
  );
  return fc.tuple(...pairs, unknown).map((all) => all.flat().join('&'));
}

/** Characters that HTTP allows in the value of a header. */
const headerTexts = fc.oneof(
  texts.map((text) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '').slice(0, MAX_IN_PATH)),
  fc.string({
    unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code === 0x7f ? 0x20 : code)),
  }),
);

const maybe = <T>(arbitrary: fc.Arbitrary<T>, weight = 1): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight, arbitrary });

function headers(key: string, sends: boolean): fc.Arbitrary<Record<string, string>> {
  const types = fc.oneof(
    { weight: 12, arbitrary: fc.constant('application/json') },
    { weight: 1, arbitrary: fc.constantFrom('application/json; charset=utf-16', 'text/plain', 'application/xml', '') },
    { weight: 1, arbitrary: headerTexts },
  );
  return fc
    .record({
      authorization: fc.oneof(
        { weight: 20, arbitrary: fc.constant(`Bearer ${key}`) },
        { weight: 1, arbitrary: fc.oneof(headerTexts, fc.constantFrom('Bearer', 'Basic YTpi', `Bearer ${key}x`)) },
      ),
      'content-type': sends ? types : maybe(types),
      'content-encoding': fc.oneof(
        { weight: 30, arbitrary: fc.constant(undefined) },
        fc.constantFrom('gzip', 'br', 'x'),
      ),
      'idempotency-key': maybe(headerTexts),
      accept: maybe(fc.oneof(headerTexts, fc.constantFrom('text/event-stream', 'text/html', 'image/png'))),
      'x-request-id': maybe(headerTexts),
      'x-forwarded-for': maybe(headerTexts),
      'x-forwarded-host': maybe(headerTexts),
      'x-http-method-override': maybe(fc.constantFrom('DELETE', 'GET')),
      range: maybe(fc.constantFrom('bytes=0-0', 'bytes=9-1', 'bytes=-')),
      'if-none-match': maybe(fc.constant('*')),
      origin: maybe(headerTexts),
      cookie: maybe(headerTexts),
    })
    .map(
      (all) =>
        Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<string, string>,
    );
}

/** Mostly the token of a visitor, and no Origin, as programs do. */
const visitorHeaders = (tokens: string[]): fc.Arbitrary<Record<string, string>> =>
  fc
    .oneof(
      { weight: 8, arbitrary: fc.constantFrom(...tokens) },
      { weight: 2, arbitrary: fc.constant('') },
      { weight: 1, arbitrary: headerTexts },
    )
    .map((token): Record<string, string> => (token === '' ? {} : { 'x-visitor-token': token }));

const merged = (all: Record<string, string>[]): Record<string, string> => Object.assign({}, ...all);

const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));

/** JSON, most of it whole. */
function bodies(schema: JsonSchema, known: Known): fc.Arbitrary<string | Buffer | undefined> {
  const json = fromSchema(schema, known).map((value) => JSON.stringify(value));
  const broken = fc
    .tuple(json, fc.nat(), fc.oneof(texts, fc.constantFrom('1e400', '[', '{"a":1,"a":2}', '\u0001')))
    .map(
      ([text, at, other]) => text.slice(0, at % (text.length + 1)) + other + text.slice((at + 1) % (text.length + 1)),
    );
  return fc.oneof(
    { weight: 12, arbitrary: json },
    { weight: 2, arbitrary: broken },
    { weight: 1, arbitrary: bytes },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

const unexpectedBodies = fc.oneof(
  { weight: 12, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom('', '{}', '[]', 'x', 'x'.repeat(1024 * 1024 + 1)) },
  { weight: 1, arbitrary: bytes },
);
