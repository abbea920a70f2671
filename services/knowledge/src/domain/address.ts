import { type AllowList, vetUrl } from '@parley/corpus/guard';
import { invalidArgument } from '@parley/runtime';
import { parseUrl } from '@parley/runtime/parse-url';
import { requiredText } from './text.ts';

const MAX_ADDRESS = 2_048;

/**
 * The start of a website as the WHATWG URL parser writes it, without fragment. A private IP literal is refused at once;
 * what a name stands for is vetted when the site is read.
 *
 * @throws AppError `invalid_argument`
 */
export function websiteAddress(field: string, text: string, allow: AllowList): string {
  const url = parse(field, text);
  const refusal = vetUrl(url, allow);
  if (refusal) throw invalidArgument(`${field}: ${refusal}`);
  url.hash = '';
  return requiredText(field, url.href, MAX_ADDRESS);
}

/** An http or https address, as sent. @throws AppError `invalid_argument` */
export function sourceAddress(field: string, text: string): string {
  parse(field, text);
  return text;
}

function parse(field: string, text: string): URL {
  requiredText(field, text, MAX_ADDRESS);
  const url = parseUrl(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw invalidArgument(`${field} must be an address that begins with http:// or https://.`);
  return url;
}
