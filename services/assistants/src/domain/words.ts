import { folded } from './fold.ts';

const STOP_WORDS = new Set(
  (
    'a about after all also am an and any are as at be been but by can could did do does for from had has have he her ' +
    'his how i if in into is it its just may me more most my no not of on only or other our out she should so some ' +
    'such than that the their them then there these they this those to too up us was we were what when where which ' +
    'who whom why will with would you your'
  ).split(' '),
);
/** Truncating words is a stemmer without tables. */
const STEM = 6;
/** Scripts that write no spaces between words: every two characters count as one. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]/u;

/** The content words of a text, truncated so that the forms of a word are equal. */
export function contentWords(text: string): string[] {
  const words = folded(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return words.flatMap((word) => {
    if (UNSPACED.test(word)) return pairs([...word]);
    return STOP_WORDS.has(word) ? [] : [word.replace(/s$/, '').slice(0, STEM)];
  });
}

const pairs = (characters: readonly string[]): string[] =>
  characters.length < 2 ? [...characters] : characters.slice(1).map((character, i) => characters[i] + character);
