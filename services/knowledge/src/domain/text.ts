import { invalidArgument } from '@parley/runtime';

/** Text as sent. @throws AppError `invalid_argument` that names the field, where it is blank or has too many code points. */
export function requiredText(field: string, text: string, max: number): string {
  if (text.trim() === '') throw invalidArgument(`${field} must not be blank.`);
  return boundedText(field, text, max);
}

/** Text as sent; may be blank. */
export function boundedText(field: string, text: string, max: number): string {
  // A code point is one or two code units, so most texts need not be counted.
  if (text.length > max && (text.length > 2 * max || [...text].length > max))
    throw invalidArgument(`${field} must have at most ${max.toLocaleString('en')} characters.`);
  return text;
}
