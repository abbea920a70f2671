import { createRequire } from 'node:module';
import { primaryTag } from './detect.ts';
import { foldWord, normaliseText } from './normalise.ts';
import { stopWordsOf } from './stop-words.ts';

type Spell = (number: number, options: { gender: 'masculine' | 'feminine' }) => string;

const require = createRequire(import.meta.url);
const GENDERS = ['masculine', 'feminine'] as const;
const SPELLED = [
  ...Array.from({ length: 101 }, (_, i) => i),
  ...[2, 3, 4, 5, 6, 7, 8, 9].flatMap((n) => [n * 100, n * 1_000]),
  ...[1_000, 10_000, 100_000, 1_000_000, 1_000_000_000],
];
const WORDS = new Map<string, ReadonlyMap<string, number>>();

/**
 * Cardinal numbers by their words in a language, lower case and folded, compounds in every spelling ("twenty-one",
 * "twenty one", "twentyone"); empty for a language that nobody spells here. A word for one that is also a stop word is left
 * out, since it mostly is an article.
 */
export function numberWords(language: string): ReadonlyMap<string, number> {
  const tag = primaryTag(language) ?? '';
  const known = WORDS.get(tag);
  if (known) return known;
  const spell = spellerOf(tag);
  const words = new Map<string, number>();
  WORDS.set(tag, words);
  if (!spell) return words;
  for (const number of SPELLED)
    for (const gender of GENDERS) {
      const spelled = normaliseText(spell(number, { gender }));
      const parts = spelled.split(/[\s-]+/u).map(foldWord);
      for (const joint of [' ', '-', '']) {
        const word = parts.join(joint);
        if (!words.has(word) && !(number === 1 && stopWordsOf(tag)?.has(word))) words.set(word, number);
      }
    }
  return words;
}

/** Loaded when asked for: each language is a module of its own. */
function spellerOf(language: string): Spell | undefined {
  if (!language) return undefined;
  const { region } = new Intl.Locale(language).maximize();
  try {
    return (require(`to-words/${language}-${region}`) as { toWords: Spell }).toWords;
  } catch {
    return undefined;
  }
}
