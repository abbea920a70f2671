/** Vowel signs and Koranic marks, the tatweel, and characters without a shape: joiners, direction marks, soft hyphens. */
const DROPPED = /[\u064B-\u065F\u0670\u06D6-\u06ED\u0640\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u00AD]/gu;
const ARABIC_SCRIPT = /\p{Script=Arabic}/u;
const MARKED = /[^\p{ASCII}]/u;
const LATIN_OR_GREEK = /[\p{Script=Latin}\p{Script=Greek}]/u;

/** Letters that keyboards and fonts exchange freely; the first form stands for all. */
const SAME_LETTERS = ['یيىې', 'کكڪ', 'اأإآٱ', 'هةۀە', 'وؤ', 'یئ'];
const REPLACEMENT = new Map(SAME_LETTERS.flatMap(([first, ...others]) => others.map((other) => [other, first!])));
const REPLACED = new RegExp(`[${[...REPLACEMENT.keys()].join('')}]`, 'gu');

/**
 * Text as the analyzer reads it: compatibility forms and case unified, invisible characters and vowel signs removed, digits
 * of the Arabic script as ASCII. Idempotent.
 */
export function normaliseText(text: string): string {
  const unified = text.normalize('NFKC').toLowerCase().normalize('NFKC');
  if (!MARKED.test(unified)) return unified;
  return unified
    .replace(DROPPED, '')
    .normalize('NFC')
    .replace(/[٠-٩۰-۹]/gu, (digit) => String(digit.codePointAt(0)! & 15));
}

/** A word in the form that stemmers know: Arabic as Arabic is spelled, Persian as Persian. */
export function spelledFor(language: string, word: string): string {
  if (!ARABIC_SCRIPT.test(word)) return word;
  return language === 'ar' ? word.replaceAll('ی', 'ي').replaceAll('ک', 'ك') : foldWord(word);
}

/**
 * Removes the differences that people type at random: accents in Latin and Greek, forms of the same letter in the Arabic
 * script, the dots of the Russian ё. Applied after stemming, which needs them. Idempotent.
 */
export function foldWord(word: string): string {
  if (!MARKED.test(word)) return word;
  if (ARABIC_SCRIPT.test(word)) return word.replace(REPLACED, (letter) => REPLACEMENT.get(letter)!);
  if (LATIN_OR_GREEK.test(word))
    return word.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').replaceAll('ı', 'i').replaceAll('ς', 'σ');
  return word.replaceAll('ё', 'е');
}
