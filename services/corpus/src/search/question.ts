import { languageOf, type QueryWord, questionAnalyzer } from '@parley/language';
import { looksLikeName } from './names.ts';

/** A content word of a question. */
export interface AskedWord {
  /** As written. */
  readonly written: string;
  /** The terms that stand for it; the first names it. */
  readonly terms: QueryWord;
  /**
   * Whether it looks like a name, a command, an option or a number rather than a word of the language. Nobody paraphrases
   * those, so a text without them is about something else.
   */
  readonly isName: boolean;
  /**
   * Of a number, the first term of the unit after it, as in `64 MB`: without its unit, the number is another one. A unit looks
   * like a name, too; in `3 packages` the number may be written with another word.
   */
  readonly unit?: string | undefined;
  /** How much it counts, 0 to 1: words of earlier questions count less than the question's own. */
  readonly share: number;
}

/** The content words of a question, by their first term. */
export type AskedTerms = ReadonlyMap<string, AskedWord>;

/** Bounds the cost of a search by a hostile question; nobody asks with that many words. */
const MAX_TERMS = 100;
/** Words with the joiners of their script. */
const WORD = /[\p{L}\p{N}\p{M}_\u200c\u200d]+/gu;
const CONTEXT = 12;
const NUMBER_BEFORE = /(?<![\p{L}\p{N}])(\p{N}+)[ \u00a0]?$/u;

/** Of a word of earlier questions, next to the question's own. */
const EARLIER_SHARE = 0.5;

/**
 * The terms of a question, and of the earlier ones that it refers to.
 *
 * @param languages that the searched texts were analyzed in; by default the question's own.
 */
export function askedTerms(
  question: string,
  earlier: readonly string[] = [],
  languages?: readonly string[],
): AskedTerms {
  const terms = new Map<string, AskedWord>();
  addTerms(terms, question, 1, languages);
  for (const each of earlier) addTerms(terms, each, EARLIER_SHARE, languages);
  return terms;
}

function addTerms(into: Map<string, AskedWord>, text: string, share: number, searched: readonly string[] | undefined) {
  const own = languageOf(text);
  const languages = searched ?? [own ?? 'en'];
  const analyze = questionAnalyzer(text, languages);
  for (const { 0: written, index } of text.matchAll(WORD)) {
    if (into.size >= MAX_TERMS) break;
    const isName = looksLikeName(text, written, index, own ?? languages[0]);
    const before = NUMBER_BEFORE.exec(text.slice(Math.max(0, index - CONTEXT), index))?.[1];
    const number = isName && before !== undefined && !/^\p{N}/u.test(written) ? analyze(before)[0]?.[0] : undefined;
    for (const terms of analyze(written)) {
      if (into.size >= MAX_TERMS) break;
      const known = into.get(terms[0]);
      if (!known || (isName && !known.isName))
        into.set(terms[0], { written, terms, isName, share: known?.share ?? share });
      const measured = number === undefined ? undefined : into.get(number);
      if (measured) into.set(number!, { ...measured, unit: terms[0] });
    }
  }
}
