import { type Analyzer, areFactsIn, type Facts, factsOf, languageOf, searchedText } from '@parley/language';
import type { Question } from './answerer.ts';
import type { Shown } from './shown.ts';

/** Share of a sentence's words, the rarer the heavier, that the passage it is taken from has at least. */
const SHARED = 0.5;
/** The same, where it also has the facts of the sentence and no other passage shares much more. */
const SHARED_WITH_FACTS = 0.3;
const ABOUT_AS_MUCH = 0.9;
/** With fewer words in common than that, a sentence is in another language than the passages. */
const FOREIGN = 0.1;
const FEWEST_WORDS = 3;

/** The material that sentences of an answer are checked against. */
export interface Material {
  shown: readonly Shown[];
  factsIn(sentence: string): Facts;
  /** Returns whether hard facts are supported by passages (by position), the visitor, or sentences before. */
  supports(facts: Facts, cited: Iterable<number>, stated: readonly Facts[]): boolean;
  /** The passage that a sentence is taken from, by its facts and words; by its facts alone, where it has no mark. */
  sourceOf(sentence: string, facts: Facts, stated: readonly Facts[], isMarked?: boolean): number | undefined;
  has(literal: string): boolean;
  wordsOf(text: string): string[];
}

export function createMaterial(
  { question, history, ...asked }: Omit<Question, 'passages'>,
  shown: readonly Shown[],
  { analyze, today }: { analyze: Analyzer; today: Date },
): Material {
  const own = asked.language ?? languageOf(question);
  const language = own ?? languageIn(shown[0]!);
  const texts = shown.map(({ under, text }) => `${under}\n${text}`);
  const facts: Facts[] = [];
  const factsAt = (at: number) => (facts[at] ??= factsOf(texts[at]!, languageIn(shown[at]!)));
  const messages = [question, ...history.map(({ message }) => message)];
  const said = messages.map((text) => factsOf(text, language, 'message'));
  const now = factsOf(today.toISOString().slice(0, 10), undefined);
  const urls = shown.flatMap(({ passages }) => passages.map(({ url }) => url));
  const text = searchedText([...texts, ...urls, ...messages]);
  let words: Set<string>[] | undefined;
  const wordsAt = () => (words ??= shown.map((part, i) => new Set(analyze(texts[i]!, languageIn(part)))));

  /** Share of the words of a sentence that each passage has. */
  function sharesOf(terms: ReadonlySet<string>): number[] {
    const all = wordsAt();
    const weights = [...terms].map((term): [string, number] => {
      const having = all.filter((known) => known.has(term)).length;
      return [term, Math.log(1 + (all.length + 1) / (having + 0.5))];
    });
    const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
    return all.map((known) => weights.reduce((sum, [term, weight]) => sum + (known.has(term) ? weight : 0), 0) / total);
  }

  const material: Material = {
    shown,
    factsIn: (sentence) => factsOf(sentence, own ?? languageOf(sentence) ?? language, 'answer'),
    supports: (facts, cited, stated) =>
      areFactsIn(facts, { cited: [...cited].map(factsAt), asked: said, stated, today: now, text }),
    sourceOf(sentence, facts, stated, isMarked = false) {
      const terms = new Set(analyze(sentence, language).filter((term) => /\p{L}/u.test(term)));
      const shares = terms.size === 0 ? shown.map(() => 0) : sharesOf(terms);
      const most = Math.max(...shares);
      const has = (at: number) => material.supports(facts, [at], stated);
      const best = shares.indexOf(most);
      if (most >= SHARED && terms.size >= FEWEST_WORDS && has(best)) return best;
      if (isEmpty(facts) || (isMarked && most < FOREIGN)) return undefined;
      if (most >= FOREIGN) {
        const close = shares.findIndex(
          (share, at) => share >= SHARED_WITH_FACTS && share >= most * ABOUT_AS_MUCH && has(at),
        );
        return close === -1 ? undefined : close;
      }
      const having = shown.flatMap((_, at) => (has(at) ? [at] : []));
      return having.length === 1 ? having[0] : undefined;
    },
    has: (literal) => text.plain.includes(literal.toLowerCase()),
    wordsOf: (text) => analyze(text, language),
  };
  return material;
}

const isEmpty = ({ mentioned: _, ...facts }: Facts): boolean =>
  Object.values(facts).every(({ length }) => length === 0);

const languageIn = ({ passages: [passage], text }: Shown): string | undefined => passage!.language || languageOf(text);
