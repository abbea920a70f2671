const SENTENCE_ENDS = /(^|[.!?:;\n]["'”’)]*)\s*["'“‘(]*$/;
const CONTEXT = 12;
/** A word with a capital that ends a text, and a space. */
const CAPITAL_BEFORE = /(?<![\p{L}\p{M}\p{N}])(\p{Lu}\p{Ll}[\p{L}\p{M}]{0,30}) $/u;
/** Languages that write every noun with a capital. */
const CAPITALISE_NOUNS: ReadonlySet<string> = new Set(['de', 'lb']);

/**
 * Whether a word looks like a name, a command or a number: by digits, inner capitals, underscores, code marks, or a capital
 * within a sentence. In a language that writes all nouns with one, only two such words in a row are a name, as in
 * `Raspberry Pi`: nouns have something between them.
 *
 * @param at where the word stands in the text
 */
export function looksLikeName(text: string, written: string, at: number, language: string | undefined): boolean {
  if (/[\p{N}_]|\p{Ll}\p{Lu}|^\p{Lu}{2,}$/u.test(written)) return true;
  const before = text.slice(Math.max(0, at - CONTEXT), at);
  const end = at + written.length;
  if (/[`$@\\/#]$|(^|\s)--?$|[\p{L}\p{N}]\.$/u.test(before)) return true;
  if (/^(\(\)|::|\.\p{L})/u.test(text.slice(end, end + 2))) return true;
  if (!isCapital(text, at)) return false;
  if (language === undefined || !CAPITALISE_NOUNS.has(language)) return !isTitleCase(text);
  const [, previous] = CAPITAL_BEFORE.exec(text.slice(Math.max(0, at - 40), at)) ?? [];
  const isAfterOne = previous !== undefined && isCapital(text, at - 1 - previous.length);
  return isAfterOne || (text[end] === ' ' && isCapital(text, end + 1));
}

/** Whether a word within a sentence begins with a capital. */
const isCapital = (text: string, at: number): boolean =>
  /^\p{Lu}\p{Ll}/u.test(text.slice(at, at + 4)) && !SENTENCE_ENDS.test(text.slice(Math.max(0, at - CONTEXT), at));

/** Where most words begin with a capital, capitals say nothing. */
function isTitleCase(text: string): boolean {
  const words = text.slice(0, 500).match(/\p{L}{4,}/gu) ?? [];
  return words.filter((word) => /^\p{Lu}/u.test(word)).length > words.length / 2;
}
