import fc from 'fast-check';
import type { JsonSchema } from '../conformance/description.ts';
import { texts, values } from './values.ts';

/** Existing ids that generated values may refer to. */
export interface Known {
  resolve(schema: JsonSchema): JsonSchema;
  /** Ids of existing resources, for fields that take one. */
  ids: readonly string[];
}

interface Parts extends JsonSchema {
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  enum?: unknown[];
  const?: unknown;
  required?: string[];
  examples?: Record<string, unknown>[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
}

const FITS = 6;
const MAX_CHARACTERS = 10_000;

/** Values that mostly fit the schema, but not in every place: any part may be replaced with anything, or be missing. */
export function fromSchema(schema: JsonSchema, known: Known): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: FITS, arbitrary: fitting(schema, known) }, { weight: 1, arbitrary: values });
}

function fitting(schema: JsonSchema, known: Known): fc.Arbitrary<unknown> {
  const parts: Parts = known.resolve(schema);
  if (parts.enum) return fc.constantFrom(...parts.enum);
  if ('const' in parts) return fc.constant(parts.const);
  if (parts.anyOf) return fc.oneof(...parts.anyOf.map((one) => fitting(one, known)));
  const types = [parts.type].flat().filter((type) => type !== undefined);
  if (types.length === 0) return values;
  return fc.oneof(...types.map((type) => OF_TYPE[type]!(parts, known)));
}

const OF_TYPE: Record<string, (parts: Parts, known: Known) => fc.Arbitrary<unknown>> = {
  object: objects,
  array: ({ items = {} }, known) => fc.array(fromSchema(items, known), { maxLength: 4 }),
  string: strings,
  integer: integers,
  number: integers,
  boolean: () => fc.boolean(),
  null: () => fc.constant(null),
};

function integers({ minimum = -10, maximum = 200 }: Parts): fc.Arbitrary<number> {
  return fc.integer({ min: minimum - 1, max: maximum + 1 });
}

function strings({ format, maxLength = 200 }: Parts, { ids }: Known): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.oneof(fc.constantFrom(...ids), fc.uuid());
  if (format === 'uri') return fc.webUrl({ withQueryParameters: true, withFragments: true });
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  const most = Math.min(maxLength, MAX_CHARACTERS);
  return fc.oneof(
    fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 20 }),
    fc.constantFrom('x'.repeat(most), '🙂'.repeat(most), 'x'.repeat(most + 1), ...ids),
    texts,
  );
}

/** Fields like those of the examples pass rules that a schema can't express, such as what an alias looks like. */
function objects({ properties = {}, required = [], examples = [] }: Parts, known: Known): fc.Arbitrary<object> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const shown = examples.flatMap((example) => (name in example ? [example[name]] : []));
      const generated = fromSchema(property, known);
      return [name, shown.length > 0 ? fc.oneof(generated, fc.constantFrom(...shown)) : generated];
    }),
  );
  const extra = fc.dictionary(texts, values, { maxKeys: 2 });
  return fc.oneof(
    { weight: FITS, arbitrary: fc.record(fields, { requiredKeys: required }) },
    { weight: 1, arbitrary: fc.record(fields, { requiredKeys: [] }) },
    { weight: 1, arbitrary: fc.tuple(fc.record(fields), extra).map(([one, more]) => ({ ...more, ...one })) },
  );
}
