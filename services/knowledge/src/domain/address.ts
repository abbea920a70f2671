import { invalidArgument } from '@parley/runtime';
import { type AllowList, vetUrl } from '@parley/runtime/outbound';
import { webAddress } from '@parley/runtime/parse-url';
import { requiredText } from '@parley/runtime/text';

const MAX_ADDRESS = 2_048;

/**
 * The start address of a website as the WHATWG URL parser writes it, without its fragment. Private IP literals are refused
 * here; names are resolved and checked when the site is crawled.
 *
 * @throws AppError `invalid_argument`
 */
export function websiteAddress(field: string, text: string, allow: AllowList): string {
  const url = webAddress(field, text);
  const refusal = vetUrl(url, allow);
  if (refusal) throw invalidArgument(`${field}: ${refusal}`);
  url.hash = '';
  return requiredText(field, url.href, MAX_ADDRESS);
}

/** An http or https address, as sent. @throws AppError `invalid_argument` */
export function sourceAddress(field: string, text: string): string {
  webAddress(field, text);
  return text;
}
