import { describe, expect, test } from '@jest/globals';
import { AppError } from '@parley/runtime';
import { randomId } from '@parley/runtime/rpc';
import { z } from 'zod';
import { parseDate } from '../fields/dates.ts';
import { createCursors } from '../http/cursor.ts';
import { createLookUp } from '../http/find.ts';
import { parseObject } from '../http/json.ts';
import { validate } from '../http/validate.ts';
import { routes } from './index.ts';

const MIB = 1024 * 1024;
const BOUND_MS = 50;
const TRIES = 20;

const filled = (unit: string, before = '', after = '') =>
  before + unit.repeat((MIB - before.length - after.length) / Buffer.byteLength(unit)) + after;
const ideographs = Array.from({ length: MIB / 3 }, (_, i) => String.fromCharCode(0x4e00 + (i % 20_000))).join('');

/** 1 MiB each, for every kind of parser and pattern that may see a field. */
const TEXTS: Record<string, string> = {
  spaces: filled(' '),
  'tabs and line feeds': filled('\t\n'),
  digits: filled('9'),
  commas: filled(','),
  'the same letter': filled('a'),
  'Z, spaces, x': filled(' ', 'Z', 'x'),
  'zones with open comments': filled('Z('),
  'a zone with nested comments': filled('(', '2026 Z '),
  'an endless fraction': filled('9', '2026-01-01T10:00:00.', 'x'),
  months: filled('jan '),
  offsets: filled('+00:00'),
  'numbers and spaces': filled('20 ', '2026 '),
  brackets: filled('['),
  'nested brackets': filled('[{', '', '}]'),
  'percent signs': filled('%'),
  'encoded spaces': filled('%20'),
  statuses: filled('open,'),
  'hexadecimal digits': filled('0123abcd-'),
  quotes: filled('"\\'),
  'emoji, each of two units': filled('😀'),
  'combining marks': filled('\u0301', 'e'),
  'a host of ideographs': `http://${ideographs}`,
  'a host of umlauts': filled('ä.', 'http://'),
  'a host of digits': filled('1', 'http://'),
  'user names': filled('@', 'http://'),
  'parent folders': filled('../', 'http://a/'),
  'a query to encode': filled('<', 'http://a/?'),
};

/** JSON of 1 MiB in a field that expects one text. */
const VALUES: Record<string, string> = {
  'empty lists': `[${filled('[],')}[]]`,
  'empty objects': `[${filled('{},')}{}]`,
  'empty texts': `[${filled('"",')}""]`,
  'short texts': `[${filled('"a",')}"a"]`,
  'nested lists': filled('[', '[') + filled(']'),
  fields: `{${Array.from({ length: 80_000 }, (_, i) => `"k${i}":1`).join(',')}}`,
  'a long number': filled('9'),
  'a long name': `{"${filled('a')}":"\\u0000"}`,
  // Few enough to be validated individually.
  'a list of blanks': JSON.stringify(Array(1_000).fill(' ')),
  'a list of long texts': JSON.stringify(Array(1_000).fill('x'.repeat(1_000))),
};

/** Processor time, or wall time if that is less: other threads inflate the former, other processes the latter. */
function measure(work: () => unknown): number {
  const cpu = process.cpuUsage();
  const began = performance.now();
  try {
    work();
  } catch (error) {
    if (!(error instanceof AppError && ['invalid_argument', 'not_found'].includes(error.code))) throw error;
  }
  const wall = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  return Math.min(wall, (user + system) / 1000);
}

/** A slow or busy machine takes its time over ordinary text, too. */
function boundMs(): number {
  const ordinary = Buffer.from(JSON.stringify({ title: 'An ordinary text. '.repeat(58_000) }));
  const costs = Array.from({ length: 5 }, () => measure(() => parseObject(ordinary)));
  return Math.max(BOUND_MS, 5 * Math.min(...costs));
}

/** The cases that take too long in every attempt: a busy machine does not make a pattern slow. */
function slow(cases: Iterable<[name: string, work: () => unknown]>): string[] {
  const found: string[] = [];
  for (const [name, work] of cases) {
    let best = Number.POSITIVE_INFINITY;
    for (let i = 0; i < TRIES && best > BOUND_MS; i++) best = Math.min(best, measure(work));
    if (best > BOUND_MS && best > boundMs()) found.push(`${name}: ${best.toFixed()} ms`);
  }
  return found;
}

const texts = Object.entries(TEXTS);

/** Routes share parameters and fields; each is attacked once. */
const attacked = new Set<unknown>();
const isNew = (field: unknown) => !attacked.has(field) && !!attacked.add(field);

function* strings(place: string, fields: z.ZodObject): Generator<[string, () => unknown]> {
  for (const [name, field] of Object.entries(fields.shape)) {
    if (!isNew(field)) continue;
    for (const [what, text] of texts) {
      yield [`${place} ${name}, ${what}`, () => validate(fields, { [name]: text })];
      yield [`${place} ${name}, ${what}, twice`, () => validate(fields, { [name]: [text, text] })];
    }
  }
}

/** Those that the parser lets through. It treats all fields alike, so `as a body that no route knows` measures it once. */
const values = [
  ...texts.map(([what, text]) => [what, JSON.stringify(text)] as const),
  ...Object.entries(VALUES),
].flatMap(([what, json]): [string, unknown][] => {
  try {
    return [[what, parseObject(Buffer.from(`{"x":${json}}`))['x']]];
  } catch {
    return [];
  }
});

function* bodies(fields: z.ZodObject): Generator<[string, () => unknown]> {
  const schema = z.toJSONSchema(fields, { io: 'input', unrepresentable: 'any' }) as Schema;
  for (const [path, wrap] of places(schema, schema.$defs)) {
    for (const [what, value] of values) {
      const body = wrap(value) as Record<string, unknown>;
      yield [`${path}, ${what}`, () => validate(fields, body)];
    }
  }
}

interface Schema {
  type?: string;
  $ref?: string;
  $defs?: Record<string, Schema>;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

/** Every place in a schema that takes a value, however deep, and how to set it. */
function* places(
  schema: Schema,
  named: Schema['$defs'],
  path = '',
  wrap = (value: unknown) => value,
): Generator<[string, typeof wrap]> {
  // Fields of the same name and description are the same, as those of creating and of updating.
  if (path !== '' && isNew(path + JSON.stringify(schema))) yield [path, wrap];
  const { anyOf = [], properties = {}, items } = named?.[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
  for (const each of anyOf) yield* [...places(each, named, path, wrap)].filter(([deeper]) => deeper !== path);
  for (const [name, property] of Object.entries(properties))
    yield* places(property, named, `${path}.${name}`, (value) => wrap({ [name]: value }));
  if (items) yield* places(items, named, `${path}[]`, (value) => wrap([value]));
}

describe('1 MiB of hostile text costs less than 50 ms', () => {
  test.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_, route) => {
    expect(slow(strings('path', route.params))).toEqual([]);
    expect(slow(strings('query', route.query))).toEqual([]);
    if (route.body) expect(slow(bodies(route.body))).toEqual([]);
  });

  test('as a cursor', () => {
    const cursors = createCursors(randomId());
    const list = { account: randomId(), list: '/chatbots', parent: {}, filter: {} };
    expect(slow(texts.map(([what, text]) => [what, () => cursors.open(list, text)]))).toEqual([]);
  });

  test('as a date', () => {
    expect(slow(texts.map(([what, text]) => [what, () => parseDate(text)]))).toEqual([]);
  });

  test('as a path', () => {
    const lookUp = createLookUp({ '/v1': routes });
    const paths = [...texts, ['slashes', filled('/')] as const];
    expect(slow(paths.map(([what, text]) => [what, () => lookUp('GET', `/v1/chatbot/${text}/knowledge`)]))).toEqual([]);
  });

  test('as a body that no route knows', () => {
    const json = [...texts.map(([what, text]) => [what, JSON.stringify({ x: text })] as const), ...texts];
    const all = [...json, ...Object.entries(VALUES), ...Object.entries(VALUES).map(([w, v]) => [w, `{"x":${v}}`])];
    expect(slow(all.map(([what, text]) => [what!, () => parseObject(Buffer.from(text!))]))).toEqual([]);
  });
});

test('a date has at most 64 characters', () => {
  const comment = (length: number) => `Sat Nov 21 2026 10:20:30 GMT+0200 (${'x'.repeat(length)})`;
  expect(parseDate(comment(64 - comment(0).length))?.toISOString()).toBe('2026-11-21T08:20:30.000Z');
  expect(parseDate(comment(65 - comment(0).length))).toBeUndefined();
});
