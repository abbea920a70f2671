import { createRequire } from 'node:module';
import { stopwords as english } from '@orama/stopwords/english';
import { stopwords as german } from '@orama/stopwords/german';
import { primaryTag } from './detect.ts';
import { normaliseText, spelledFor } from './normalise.ts';

const lists: Record<string, string[]> = createRequire(import.meta.url)('stopwords-iso');

/**
 * In English and German, stopwords-iso has too much that visitors ask about ("contact", "open", "Uhr", "Zeit"); Orama's list
 * lacks one word.
 */
const LISTS = new Map<string, readonly string[]>(
  Object.entries({ ...lists, de: german, en: [...english, 'a'] }).map(([language, words]) => [
    primaryTag(language)!,
    words,
  ]),
);
const SETS = new Map<string, ReadonlySet<string>>();
const PARTS = /[\p{L}\p{M}\p{N}]+/gu;

export const LISTED_LANGUAGES: readonly string[] = [...LISTS.keys()];

/** Words that say nothing about the topic of a text, question words included, as the analyzer spells them. */
export function stopWordsOf(language: string): ReadonlySet<string> | undefined {
  const list = LISTS.get(language);
  if (!list || SETS.has(language)) return SETS.get(language);
  // "don't" is two words to the analyzer.
  const words = list.flatMap((word) => normaliseText(word).match(PARTS) ?? []);
  const set = new Set(words.map((word) => spelledFor(language, word)));
  SETS.set(language, set);
  return set;
}
