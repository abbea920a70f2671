export interface JsonSchema {
  $ref?: string;
  type?: string;
  properties?: Record<string, JsonSchema>;
  [keyword: string]: unknown;
}

export interface DescribedOperation {
  'x-parley-extension'?: boolean;
  summary?: string;
  description?: string;
  operationId?: string;
  tags?: string[];
  security?: unknown;
  parameters?: { $ref?: string; name?: string; in?: string }[];
  requestBody?: { content?: Record<string, { schema?: JsonSchema }> };
  responses: Record<string, unknown>;
}

/** The OpenAPI description, and its operations with paths relative to `/v1`. */
export interface Description {
  openapi: string;
  info: { title?: string; version?: string };
  paths: Record<string, Record<string, DescribedOperation>>;
  operations: { method: string; path: string; operation: DescribedOperation }[];
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** `baseUrl` ends with `/v1`. */
export async function described(baseUrl: string): Promise<Description> {
  const description = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as Omit<Description, 'operations'>;
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => ({
        method: method.toUpperCase(),
        path: path.replace(/^\/v1(?=\/)/, ''),
        operation,
      })),
  );
  return { ...description, operations };
}

/** Returns the target of a `$ref`, or the value itself. */
export function resolved<T extends { $ref?: string }>(description: object, value: T | undefined): T | undefined {
  if (!value?.$ref) return value;
  const found = value.$ref
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>(
      (at, key) => (at as Record<string, unknown>)?.[key.replace(/~1/g, '/').replace(/~0/g, '~')],
      description,
    );
  return resolved(description, found as T | undefined);
}
