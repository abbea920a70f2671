import { invalidArgument } from './errors.ts';

/** Error text that follows the name of a field, whether the gateway or a service refuses it. */
export const NOT_BLANK = 'must not be blank';
export const atMost = (max: number): string => `must have at most ${max.toLocaleString('en')} characters`;

/** Returns whether text has at most `max` code points. One is at most two UTF-16 units, so most texts need not be counted. */
export const hasAtMost = (text: string, max: number): boolean =>
  text.length <= max || (text.length <= 2 * max && [...text].length <= max);

export const isBlank = (text: string): boolean => text.trim() === '';

/** Returns the text as sent. @throws AppError `invalid_argument` if it has more than `max` code points. */
export function boundedText(field: string, text: string, max: number): string {
  if (!hasAtMost(text, max)) throw invalidArgument(`${field} ${atMost(max)}.`);
  return text;
}

/** Returns the text as sent. @throws AppError `invalid_argument` if it is blank or has more than `max` code points. */
export function requiredText(field: string, text: string, max: number): string {
  if (isBlank(text)) throw invalidArgument(`${field} ${NOT_BLANK}.`);
  return boundedText(field, text, max);
}
