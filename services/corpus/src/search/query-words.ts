import { MAX_QUERY_LANGUAGES, type QueryWord, questionAnalyzer, separatedVerbs, splitsOf } from '@parley/language';
import type { LexicalIndex, Postings } from './bm25.ts';
import type { Asked } from './follow-up.ts';
import { type AskedTerms, askedTerms } from './question.ts';

/** The content words of a question, and the indexes as seen by them: `postings` of a word's first term has all its terms. */
export interface QueryWords {
  readonly asked: AskedTerms;
  readonly indexes: readonly LexicalIndex[];
}

/**
 * Analyzes a question in the languages in which most of the searched documents were analyzed. A compound that none of them
 * holds is searched by its parts, if they do hold those.
 */
export function queryWords({ question, earlier }: Asked, indexes: readonly LexicalIndex[]): QueryWords {
  const languages = commonLanguages(indexes);
  const isHeld = (term: string) => indexes.some((index) => index.postings(term) !== undefined);
  const withParts = (word: QueryWord): QueryWord => {
    if (word.some(isHeld)) return word;
    const parts = languages.flatMap((language) => word.flatMap((term) => splitsOf(term, language)));
    const [first, ...others] = word;
    return [first, ...others, ...(parts.find((both) => both.every(isHeld)) ?? [])];
  };
  const words = withoutParticles(askedTerms(question, earlier, languages), [question, ...earlier], languages, isHeld);
  const asked = new Map([...words].map(([term, word]) => [term, { ...word, terms: withParts(word.terms) }]));
  const several = new Map([...asked].flatMap(([term, { terms }]) => (terms.length > 1 ? [[term, terms]] : [])));
  const seen = several.size === 0 ? indexes : indexes.map((index) => withAlternatives(index, several));
  return { asked, indexes: seen };
}

/** Verbs that the texts hold in one word replace the two that the question makes of them. */
function withoutParticles(
  asked: AskedTerms,
  texts: readonly string[],
  languages: readonly string[],
  isHeld: (term: string) => boolean,
): AskedTerms {
  const verbs = texts.flatMap((text) => languages.flatMap((language) => separatedVerbs(text, language)));
  if (verbs.length === 0) return asked;
  const words = new Map(asked);
  const analyze = questionAnalyzer(texts[0]!, languages);
  const termOf = (word: string) => analyze(word)[0]?.[0];
  for (const { word, particle, joined } of verbs) {
    const [first, whole, rest] = [termOf(word), termOf(joined), termOf(particle)];
    const known = first === undefined ? undefined : words.get(first);
    if (!known || whole === undefined || !isHeld(whole)) continue;
    for (const part of [first, rest]) if (part !== undefined) words.delete(part);
    words.set(whole, { ...known, terms: [whole] });
  }
  return words;
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
