import { invalidArgument } from '@parley/runtime';

export type JsonObject = { [field: string]: unknown };

const MAX_DEPTH = 64;
/** The cost of parsing and validating depends on the number of values, not of bytes: 1 MiB of `[],[],` took seconds. */
const MAX_VALUES = 10_000;
const MAX_ENTRIES = 1_000;
const SHOWN_PATH = 200;

/**
 * The JSON object in a body. INVALID_ARGUMENT for broken JSON, invalid UTF-8, anything but an object, more than 10,000
 * values, 1,000 entries in a list or 64 levels, and text that stores can't keep as it is (NUL, half a surrogate pair).
 * Drops `__proto__`; of duplicate fields, the last counts.
 */
export function parseObject(bytes: Uint8Array): JsonObject {
  const text = decode(bytes);
  if (hasTooManyValues(bytes))
    throw invalidArgument(
      `The body must have at most ${MAX_VALUES.toLocaleString('en')} values, in at most ${MAX_DEPTH} levels.`,
    );
  const value = clean(parse(text), '', 0);
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

const [QUOTE, COMMA, BACKSLASH, BRACKET, BRACE] = [...'",\\[{'].map((character) => character.charCodeAt(0));

/** Counts values without parsing them: one more than the commas and opening brackets outside of strings, at most. */
function hasTooManyValues(bytes: Uint8Array): boolean {
  if (bytes.length <= MAX_VALUES) return false;
  let values = 1;
  let quoted = false;
  for (let i = 0; i < bytes.length && values <= MAX_VALUES; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) quoted = !quoted;
    else if (quoted) i += byte === BACKSLASH ? 1 : 0;
    else if (byte === COMMA || byte === BRACKET || byte === BRACE) values += 1;
  }
  return values > MAX_VALUES;
}

/** Copies without `__proto__`, and refuses text that can't be stored. */
function clean(value: unknown, path: string, depth: number): unknown {
  if (depth > MAX_DEPTH) throw invalidArgument(`The body is nested more than ${MAX_DEPTH} levels deep.`);
  if (typeof value === 'string') return cleanText(value, path);
  if (Array.isArray(value)) {
    if (value.length > MAX_ENTRIES)
      throw invalidArgument(`${shown(path)} must have at most ${MAX_ENTRIES.toLocaleString('en')} entries.`);
    return value.map((entry, i) => clean(entry, `${path}[${i}]`, depth + 1));
  }
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
  if (text.includes('\0')) throw invalidArgument(`${shown(path)} must not contain a NUL character.`);
  if (!text.isWellFormed()) throw invalidArgument(`${shown(path)} contains half of a surrogate pair.`);
  return text;
}

/** Field names may be as long as a body. */
const shown = (path: string): string =>
  path.length > SHOWN_PATH ? `${path.slice(0, SHOWN_PATH).toWellFormed()}…` : path || 'The body';

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Serialises a value independently of the order of its fields. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value) || value instanceof Date) return JSON.stringify(value) ?? 'null';
  const fields = Object.keys(value).sort();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}
