import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { type DescribedOperation, type Description, resolved } from './description.ts';

/** An answer as far as the description speaks of it. */
export interface Judged {
  status: number;
  headers: Headers;
  /** Parsed JSON; files are not looked into. */
  body: unknown;
}

/** Says what an OpenAPI description has against the answer of an operation; undefined if nothing. */
export type Judge = (operation: DescribedOperation, answer: Judged) => string | undefined;

interface Response {
  content?: Record<string, { schema?: object }>;
}

const JSON_TYPE = 'application/json';

export function createJudge(description: Description): Judge {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(closed(description), 'api');
  const validators = new Map<unknown, ValidateFunction | undefined>();

  function validatorOf(response: Response | undefined): ValidateFunction | undefined {
    if (!validators.has(response)) {
      const schema = response?.content?.[JSON_TYPE]?.schema;
      validators.set(response, schema && ajv.compile(absolute(schema)));
    }
    return validators.get(response);
  }

  return ({ responses }, { status, headers, body }) => {
    if (!(status in responses)) return `${status} is not described`;
    const response = resolved<Response & { $ref?: string }>(description, responses[status] as Response);
    const [type = ''] = (headers.get('content-type') ?? '').split(';');
    const types = Object.keys(response?.content ?? {});
    if (!types.includes(type)) return `${status} is described as ${types}, not ${type}`;
    const validate = type === JSON_TYPE ? validatorOf(response) : undefined;
    return validate && !validate(body) ? `${status} ${ajv.errorsText(validate.errors)}` : undefined;
  };
}

/** Clients must accept unknown fields, but this system must describe what it sends. */
const closed = (description: Description): object =>
  JSON.parse(JSON.stringify(description), (_, value) =>
    value?.type === 'object' && value.properties ? { additionalProperties: false, ...value } : value,
  );

const absolute = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"api#/'));
