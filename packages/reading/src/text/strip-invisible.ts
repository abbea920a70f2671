/**
 * Invisible characters that may carry something: soft hyphens, zero-width and bidirectional controls, variation
 * selectors, tags, and control characters except tab and line feed.
 */
const INVISIBLE =
  /(?![\u0600-\u0605\u06dd])\p{Cf}|(?![\t\n])\p{Cc}|\u034f|[\u115f\u1160]|[\u17b4\u17b5]|[\u180b-\u180f]|\u2065|\u3164|[\ufe00-\ufe0f]|\uffa0|[\u{e0000}-\u{e0fff}]/gu;

/** Removes invisible characters: they must not reach a model, which would read what people can't see. */
export function stripInvisible(text: string): string {
  return text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/[\u00a0\u2007\u202f]/g, ' ')
    .replace(INVISIBLE, '');
}
