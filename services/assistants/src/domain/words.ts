import { folded } from './fold.ts';
import { functionWordsOf, type Language } from './language.ts';

const STOP_WORDS = new Set(
  (
    'a about after all also am an and any are as at be been but by can could did do does for from had has have he her ' +
    'his how i if in into is it its just may me more most my no not of on only or other our out she should so some ' +
    'such than that the their them then there these they this those to too up us was we were what when where which ' +
    'who whom why will with would you your'
  ).split(' '),
);
/** Truncating words is a stemmer without tables... */
const STEM = 6;
/** ...and so is leaving out the endings that short words have, too; the longest first. */
const ENDING = ['s'];
const ENDINGS: Partial<Record<Language, readonly string[]>> = {
  de: 'ern em en er es e n s'.split(' '),
  ru: 'ами ями ов ев ом ем ам ям ах ях ой ей ый ий ая ое ые ие ую ия ию а е и о у ы ь ю я й'.split(' '),
};
/** Letters that stay. */
const MIN_STEM = 3;
/** Scripts that write no spaces between words: every two characters count as one. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]/u;

/** The content words of a text, truncated so that the forms of a word are equal. */
export type WordsOf = (text: string) => string[];

/** For texts and questions in a language. */
export function contentWordsIn(language: Language | undefined): WordsOf {
  const own = functionWordsOf(language);
  const endings = (language && ENDINGS[language]) ?? ENDING;
  const stemOf = (word: string) => {
    const ending = endings.find((each) => word.endsWith(each) && word.length >= each.length + MIN_STEM);
    return word.slice(0, Math.min(STEM, word.length - (ending?.length ?? 0)));
  };
  return (text) => {
    const words = folded(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
    return words.flatMap((word) => {
      if (UNSPACED.test(word)) return pairs([...word]);
      return STOP_WORDS.has(word) || own.has(word) ? [] : [stemOf(word)];
    });
  };
}

/** For texts whose language does not matter. */
export const contentWords = contentWordsIn(undefined);

const pairs = (characters: readonly string[]): string[] =>
  characters.length < 2 ? [...characters] : characters.slice(1).map((character, i) => characters[i] + character);
