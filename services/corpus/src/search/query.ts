import { MAX_QUERY_LANGUAGES, type QueryWord, questionAnalyzer } from '@parley/language';
import type { LexicalIndex, Postings } from './bm25.ts';

/** The content words of a question, and the indexes as seen by them. */
export interface Query {
  /** Of each word, the term that names it. */
  readonly terms: readonly string[];
  /** `postings` of such a term has all that stand for its word. */
  readonly indexes: readonly LexicalIndex[];
  /** The terms that name the words which this term stands for. */
  wordsOf(term: string): readonly string[];
}

/** Bounds the cost of a search by a hostile question; nobody asks with that many words. */
const MAX_TERMS = 100;

/** Analyzes a question in the languages in which most of the searched documents were analyzed. */
export function queryOf(question: string, indexes: readonly LexicalIndex[]): Query {
  const words = questionAnalyzer(question, commonLanguages(indexes))(question).slice(0, MAX_TERMS);
  const named = new Map<string, string[]>();
  for (const [first, ...others] of words)
    for (const term of [first, ...others]) named.set(term, [...(named.get(term) ?? []), first]);
  const several = new Map(words.filter(({ length }) => length > 1).map((word) => [word[0], word]));
  return {
    terms: words.map(([first]) => first),
    indexes: several.size === 0 ? indexes : indexes.map((index) => withAlternatives(index, several)),
    wordsOf: (term) => named.get(term) ?? [],
  };
}

function commonLanguages(indexes: readonly LexicalIndex[]): string[] {
  const documents = new Map<string, number>();
  for (const index of indexes)
    for (const [language, count] of index.languages) documents.set(language, (documents.get(language) ?? 0) + count);
  const inOrder = [...documents].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return inOrder.slice(0, MAX_QUERY_LANGUAGES).map(([language]) => language);
}

function withAlternatives(index: LexicalIndex, words: ReadonlyMap<string, QueryWord>): LexicalIndex {
  const merged = new Map<string, Postings | undefined>();
  return {
    ...index,
    postings(term) {
      const word = words.get(term);
      if (!word) return index.postings(term);
      if (!merged.has(term)) merged.set(term, merge(word.flatMap((each) => index.postings(each) ?? [])));
      return merged.get(term);
    },
  };
}

/** The documents of all, ascending, with the sum of their frequencies. */
function merge(all: readonly Postings[]): Postings | undefined {
  if (all.length < 2) return all[0];
  const counts = new Map<number, number>();
  for (const { documents, counts: held } of all)
    documents.forEach((document, i) => {
      counts.set(document, (counts.get(document) ?? 0) + held[i]!);
    });
  const documents = Uint32Array.from(counts.keys()).sort();
  return { documents, counts: Uint16Array.from(documents, (document) => Math.min(counts.get(document)!, 65_535)) };
}
