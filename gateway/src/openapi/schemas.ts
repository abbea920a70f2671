import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

export type Json = Record<string, unknown>;
/** Says whether a schema describes what is sent to the API, or what it returns. */
export type Direction = 'input' | 'output';

export interface Schemas {
  /** The JSON Schema of `of`. Schemas with an id are replaced by references to `named`. */
  describe(of: z.ZodType, direction: Direction): Json;
  /** The same for a schema without an id of its own, as if `name` were its id. */
  describeAs(name: string, of: z.ZodType, direction: Direction): Json;
  /** The schemas that had an id, for `components`. */
  named: Record<string, Json>;
}

/** Converts zod schemas, and collects those with an id (`.meta({ id })`). Throws if two different ones share an id. */
export function createSchemas(): Schemas {
  const named: Record<string, Json> = {};

  function add(name: string, schema: Json) {
    if (named[name] && !isDeepStrictEqual(named[name], schema)) throw new Error(`Two schemas have the id ${name}.`);
    named[name] = schema;
    return { $ref: `${COMPONENTS}${name}` };
  }

  function describe(of: z.ZodType, direction: Direction): Json {
    const { $schema, $defs = {}, ...schema } = toJson(of, direction);
    for (const [name, definition] of Object.entries($defs as Record<string, Json>)) add(name, definition);
    return schema;
  }

  return {
    named,
    describe,
    describeAs: (name, of, direction) => (of.meta()?.id ? describe(of, direction) : add(name, describe(of, direction))),
  };
}

const COMPONENTS = '#/components/schemas/';

function toJson(of: z.ZodType, io: Direction): Json {
  const override = io === 'output' ? open : withExamples;
  const schema = z.toJSONSchema(of, { io, unrepresentable: 'any', override });
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', `"${COMPONENTS}`));
}

interface Converted {
  zodSchema: z.core.$ZodType;
  jsonSchema: Json;
}

/** Responses may gain fields, so clients must not reject those that they do not know. */
function open({ jsonSchema }: Converted): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
}

/** Zod drops the examples of what it transforms: it takes them for results. Ours are what clients send. */
function withExamples({ zodSchema, jsonSchema }: Converted): void {
  const { examples } = z.globalRegistry.get(zodSchema) ?? {};
  if (examples !== undefined) jsonSchema.examples = examples;
}
