import { languageOf, primaryTag } from './detect.ts';
import { foldWord, normaliseText, spelledFor } from './normalise.ts';
import { stemmerOf } from './stemmers.ts';
import { stopWordsOf } from './stop-words.ts';

/** Scripts written without spaces are split into bigrams, the usual substitute for words. */
const TOKEN =
  /([\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+)|[\p{L}\p{N}\p{M}_]+/gu;
const LONGEST_TOKEN = 64; // longer ones are encoded data, not words
/** Stems cached for one language. */
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
  const caches = new Map<string, Map<string, string>>();

  function cacheOf(language: string): Map<string, string> {
    const cache = caches.get(language) ?? new Map<string, string>();
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
    const terms = cacheOf(language);
    const found: string[] = [];
    for (const [token, unspaced] of normaliseText(text).matchAll(TOKEN)) {
      if (unspaced) {
        found.push(...pairs(unspaced));
        continue;
      }
      let term = terms.get(token);
      if (term === undefined) {
        term = isStopWord(token, language) ? '' : termOf(token, language);
        if (terms.size < MEMORY) terms.set(token, term);
      }
      if (term) found.push(term);
    }
    return found;
  }

  return Object.assign(analyze, { analyzed });
}

/** A word of a question: the terms that stand for it, one for each way in which the searched texts were analyzed. */
export type QueryWord = readonly [string, ...string[]];

/**
 * The content words of a question, each once, for texts analyzed in these languages. Where the question's own language is
 * among them, it alone decides which words say nothing; otherwise whichever language knows one.
 */
export function analyzeQuestion(question: string, languages: readonly string[]): QueryWord[] {
  return questionAnalyzer(question, languages)(question);
}

/** Analyzes parts of a question like `analyzeQuestion` the whole. */
export function questionAnalyzer(question: string, languages: readonly string[]): (part: string) => QueryWord[] {
  const searched = languages.length > 0 ? languages.slice(0, MAX_QUERY_LANGUAGES) : [DEFAULT_LANGUAGE];
  const own = searched.length > 1 ? languageOf(question) : undefined;
  const deciding = own && searched.includes(own) ? [own] : searched;
  return (part) => {
    const words = new Map<string, QueryWord>();
    for (const [token, unspaced] of normaliseText(part).matchAll(TOKEN)) {
      if (unspaced) for (const pair of pairs(unspaced)) words.set(pair, [pair]);
      else if (!deciding.some((language) => isStopWord(token, language))) {
        const [first, ...others] = new Set(searched.map((language) => termOf(token, language)).filter(Boolean));
        if (first !== undefined && !words.has(first)) words.set(first, [first, ...others]);
      }
    }
    return [...words.values()];
  };
}

function isStopWord(token: string, language: string): boolean {
  return stopWordsOf(language)?.has(token) ?? false;
}

/** Empty for what is not a word. */
function termOf(word: string, language: string): string {
  if (word.length > LONGEST_TOKEN) return '';
  const spelled = spelledFor(language, word);
  return foldWord(stemmerOf(language)?.(spelled) ?? spelled);
}

function pairs(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, i) => characters[i]! + character);
}
