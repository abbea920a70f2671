import { invalidArgument } from './errors.ts';
import { requiredText } from './text.ts';

/**
 * Parses an address with the WHATWG parser; undefined if it is invalid. Avoids `URL.canParse`: in Node 20, once it has
 * been called often enough to be compiled, it refuses addresses with letters such as ä.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

const MAX_ADDRESS = 2_048;

/** Parses an http or https address of at most 2,048 characters. @throws AppError `invalid_argument` */
export function webAddress(field: string, text: string): URL {
  requiredText(field, text, MAX_ADDRESS);
  const url = parseUrl(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw invalidArgument(`${field} must be an address that begins with http:// or https://.`);
  return url;
}
