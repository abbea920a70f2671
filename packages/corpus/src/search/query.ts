import { MAX_QUERY_LANGUAGES, type QueryWord, questionAnalyzer } from '@parley/language';
import { searchable } from '../build/schema.ts';
import type { Searchable } from './engine.ts';

/** Bounds the cost of a search by a hostile question; nobody asks with that many words. */
const MAX_WORDS = 100;

/** The content words of a question, analyzed in the languages in which most of the searched passages were analyzed. */
export function queryWords(question: string, builds: readonly Searchable[]): QueryWord[] {
  const words = questionAnalyzer(question, commonLanguages(builds))(question).slice(0, MAX_WORDS);
  return words.map(([first, ...others]) => [searchable([first]), ...others.map((term) => searchable([term]))]);
}

function commonLanguages(builds: readonly Searchable[]): string[] {
  const passages = new Map<string, number>();
  for (const { info } of builds)
    for (const [language, count] of Object.entries(info.languages))
      passages.set(language, (passages.get(language) ?? 0) + count);
  const inOrder = [...passages].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return inOrder.slice(0, MAX_QUERY_LANGUAGES).map(([language]) => language);
}
