import { invalidArgument } from '@parley/runtime';

export type JsonObject = { [field: string]: unknown };

const MAX_DEPTH = 64;
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * The JSON object in a body. INVALID_ARGUMENT for broken JSON, invalid UTF-8, anything but an object, and text that
 * stores can't keep as it is (NUL, half a surrogate pair). `__proto__` is dropped; the last of doubled fields counts.
 */
export function parseObject(bytes: Uint8Array): JsonObject {
  const value = clean(parse(decode(bytes)), '', 0);
  if (!isObject(value)) throw invalidArgument('The body must be a JSON object.');
  return value;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidArgument('The body is not valid UTF-8.');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidArgument('The body is not valid JSON.');
  }
}

/** A copy without `__proto__`, all of whose text is fit to be stored. */
function clean(value: unknown, path: string, depth: number): unknown {
  if (depth > MAX_DEPTH) throw invalidArgument(`The body is nested more than ${MAX_DEPTH} levels deep.`);
  if (typeof value === 'string') return cleanText(value, path);
  if (Array.isArray(value)) return value.map((entry, i) => clean(entry, `${path}[${i}]`, depth + 1));
  if (!isObject(value)) return value;
  const fields = Object.entries(value).filter(([name]) => name !== '__proto__');
  return Object.fromEntries(
    fields.map(([name, entry]) => [
      cleanText(name, 'A field name'),
      clean(entry, path === '' ? name : `${path}.${name}`, depth + 1),
    ]),
  );
}

function cleanText(text: string, path: string): string {
  if (text.includes('\0')) throw invalidArgument(`${path} must not contain a NUL character.`);
  if (LONE_SURROGATE.test(text)) throw invalidArgument(`${path} contains half of a surrogate pair.`);
  return text;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The same text for the same value, in whatever order its fields came. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value) || value instanceof Date) return JSON.stringify(value) ?? 'null';
  const fields = Object.keys(value).sort();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}
