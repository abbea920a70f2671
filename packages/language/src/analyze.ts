import { languageOf, primaryTag } from './detect.ts';
import { foldWord, normaliseText, spelledFor } from './normalise.ts';
import { segmentsOf, WORDS } from './segments.ts';
import { stemmerOf } from './stemmers.ts';
import { stopWordsOf } from './stop-words.ts';

/** Scripts written without spaces, whose words Unicode knows; and Korean, whose words end in particles. */
const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar'].map((name) => `\\p{scx=${name}}`);
const KOREAN = '\\p{Script=Hangul}';
const TOKEN = new RegExp(
  `([${UNSPACED.join('')}]+)|${KOREAN}+|[[\\p{L}\\p{N}\\p{M}_]--[${UNSPACED.join('')}${KOREAN}]]+`,
  'gv',
);
const IS_KOREAN = new RegExp(`^${KOREAN}{2}`, 'u');
const LONGEST_TOKEN = 64; // longer ones are encoded data, not words
/** Words cached for one language. */
const MEMORY = 50_000;
/** Languages with a cache. A text in another one is analyzed as English, whose rules leave foreign words alone. */
const MAX_LANGUAGES = 16;
/** Languages that a question is analyzed in. */
export const MAX_QUERY_LANGUAGES = 4;
const DEFAULT_LANGUAGE = 'en';

export interface Analyzer {
  /** Text in a language (BCP 47; by default English) to terms, in order and with repetitions. */
  (text: string, language?: string): string[];
  /** The language in which a text that is said to be in this one is analyzed. */
  analyzed(language: string | undefined): string;
}

/** An analyzer caches stems: stemming dominates its cost, and a corpus repeats its words. */
export function createAnalyzer(): Analyzer {
  const caches = new Map<string, Map<string, readonly string[]>>();

  function cacheOf(language: string): Map<string, readonly string[]> {
    const cache = caches.get(language) ?? new Map<string, readonly string[]>();
    caches.set(language, cache);
    return cache;
  }

  function analyzed(given: string | undefined): string {
    const language = primaryTag(given);
    if (language === undefined || !stopWordsOf(language)) return DEFAULT_LANGUAGE;
    return caches.has(language) || caches.size < MAX_LANGUAGES ? language : DEFAULT_LANGUAGE;
  }

  function analyze(text: string, given?: string): string[] {
    const language = analyzed(given);
    const cache = cacheOf(language);
    const found: string[] = [];
    for (const word of words(text)) {
      let terms = cache.get(word);
      if (terms === undefined) {
        terms = isStopWord(word, language) ? [] : termsOf(word, language);
        if (cache.size < MEMORY) cache.set(word, terms);
      }
      for (const term of terms) found.push(term);
    }
    return found;
  }

  return Object.assign(analyze, { analyzed });
}

/** A word of a question: the terms that stand for it, one for each way in which the searched texts were analyzed. */
export type QueryWord = readonly [string, ...string[]];

/**
 * Analyzes a question, or a part of it, to its content words, each once, for texts analyzed in these languages. Where the
 * question's own language is among them, it alone decides which words say nothing; otherwise whichever language knows one.
 */
export function questionAnalyzer(question: string, languages: readonly string[]): (part: string) => QueryWord[] {
  const searched = languages.length > 0 ? languages.slice(0, MAX_QUERY_LANGUAGES) : [DEFAULT_LANGUAGE];
  const own = searched.length > 1 ? languageOf(question) : undefined;
  const deciding = own && searched.includes(own) ? [own] : searched;
  return (part) => {
    const found = new Map<string, QueryWord>();
    for (const word of words(part)) {
      if (deciding.some((language) => isStopWord(word, language))) continue;
      const ways = searched.map((language) => termsOf(word, language));
      // Only the parts of a Korean word are several terms, the same in each language.
      const several = ways[0]!.length > 1 ? ways[0]!.map((term) => [term]) : [ways.flat()];
      for (const [first, ...others] of several.map((terms) => new Set(terms)))
        if (first !== undefined && !found.has(first)) found.set(first, [first, ...others]);
    }
    return [...found.values()];
  };
}

function words(text: string): string[] {
  const tokens = [...normaliseText(text).matchAll(TOKEN)];
  const runs = tokens.flatMap(([, run]) => run ?? []);
  if (runs.length === 0) return tokens.map(([token]) => token);
  // Segmented together, since each call is expensive; a line break is a segment of its own.
  const segments = segmentsOf(WORDS, runs.join('\n'));
  const found: string[] = [];
  let next = 0;
  for (const [token, run] of tokens) {
    if (run === undefined) found.push(token);
    else
      for (let segment = segments[next++]; segment && segment.text !== '\n'; segment = segments[next++])
        if (segment.isWord) found.push(segment.text);
  }
  return found;
}

function isStopWord(word: string, language: string): boolean {
  return stopWordsOf(language)?.has(spelledFor(language, word)) ?? false;
}

/** None for what is not a word. */
function termsOf(word: string, language: string): string[] {
  if (word.length > LONGEST_TOKEN) return [];
  if (IS_KOREAN.test(word)) return pairs(word);
  const spelled = spelledFor(language, word);
  const term = foldWord(stemmerOf(language)?.(spelled) ?? spelled);
  return term ? [term] : [];
}

function pairs(word: string): string[] {
  const characters = [...word];
  return characters.slice(1).map((character, i) => characters[i]! + character);
}
