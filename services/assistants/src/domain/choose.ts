import type { Passage } from './cite.ts';
import { languageOf } from './language.ts';
import { contentWordsIn, type WordsOf } from './words.ts';

/** A section to quote from, and the passages of it that were found, best first. */
export interface Section {
  text: string;
  passages: readonly Passage[];
}

/** One of several questions in one message, and the passages that were found for it alone, best first. */
export interface Part {
  question: string;
  passages: readonly Passage[];
}

const MAX_SECTIONS = 3;
/** Of a message with several questions: one for each, and others. */
const MAX_OF_SEVERAL = 4;
/**
 * A section may be the one that answers if it has at least this share of the best one's score: in three of ten questions
 * whose answer is found, it is not in the best section, but nearly always in the best three.
 */
const CLOSE = 0.6;
/** A section further behind is worth quoting for this share of the question's words, by weight, that the others lack. */
const MISSING = 0.2;
const NOT_FAR_BEHIND = 0.4;
/** A section with more than this share of its words in another one repeats it. */
const SAME = 0.9;

interface Candidate extends Section {
  passages: Passage[];
  words: ReadonlySet<string>;
}

/**
 * The sections that may answer a question, best first: the best one, or the best one for each of its parts, and others that
 * are about as good or have words of the question that those lack. `main` is how many there are before the others. And the
 * words of the question, the rarer the heavier, as `wordsOf` finds them in a text.
 */
export function choose(question: string, passages: readonly Passage[], parts: readonly Part[]) {
  const wordsOf = contentWordsIn(languageOf(question));
  const all = bySection([...passages, ...parts.flatMap((part) => part.passages)], wordsOf);
  const saying = all.filter((candidate) => saysSomething(candidate, wordsOf));
  const candidates = saying.length > 0 ? saying : all;
  const words = weights(wordsOf(question), candidates);
  const having = (passage: Passage) => candidates.find((candidate) => candidate.passages.includes(passage)) ?? [];
  const best = (passages: readonly Passage[]) => passages.flatMap(having)[0];
  const ofParts = parts.flatMap((part) => best(part.passages) ?? []);
  // Where each part has its answer, the whole question's best passage may be about neither.
  const main = ofParts.length > 1 ? ofParts : [best(passages) ?? [], ...ofParts].flat();
  const chosen = [...new Set(main)].slice(0, MAX_SECTIONS);
  const limit = ofParts.length > 1 ? MAX_OF_SEVERAL : MAX_SECTIONS;
  const count = chosen.length;
  const searches = [passages, ...parts.map((part) => part.passages)];
  const others = candidates
    .filter((candidate) => !chosen.includes(candidate))
    .map((candidate) => ({ candidate, closeness: closenessOf(candidate, searches) }))
    .sort((a, b) => b.closeness - a.closeness);
  for (const { candidate, closeness } of others)
    if (chosen.length < limit && adds(candidate, closeness, chosen, words, wordsOf)) chosen.push(candidate);
  return { sections: chosen as readonly Section[], main: count, words, wordsOf };
}

/** The share of the best score that a section has in the search that it did best in: scores of two searches don't compare. */
function closenessOf({ passages }: Candidate, searches: readonly (readonly Passage[])[]): number {
  const shares = searches.flatMap(([best, ...others]) => {
    const found = [best, ...others].find((passage) => passage && passages.includes(passage));
    return found && best && best.score > 0 ? [found.score / best.score] : [];
  });
  return Math.max(0, ...shares);
}

/** A title by itself hardly answers anything. */
function saysSomething({ text, passages: [passage] }: Candidate, wordsOf: WordsOf): boolean {
  const { title, headings = [], isFaq } = passage!;
  const named = new Set(wordsOf([title, ...headings].join('\n')));
  return isFaq === true || wordsOf(text).some((word) => !named.has(word));
}

function bySection(passages: readonly Passage[], wordsOf: WordsOf): Candidate[] {
  const candidates: Candidate[] = [];
  for (const passage of new Set(passages)) {
    const text = passage.section || passage.text;
    const same = candidates.find(({ passages: [other], ...candidate }) => isSame(other!, candidate.text, passage));
    if (same) same.passages.push(passage);
    else candidates.push({ text, passages: [passage], words: new Set(wordsOf(textOf(passage, text))) });
  }
  return candidates;
}

/** Sections that are too long come as the parts around their passages, which differ. */
function isSame(other: Passage, text: string, passage: Passage): boolean {
  if (passage.sectionId) return other.sectionId === passage.sectionId && text.includes(passage.text);
  return other.url === passage.url && other.title === passage.title && text === passage.text;
}

const textOf = ({ title, headings = [] }: Passage, text: string): string => [title, ...headings, text].join('\n');

/** Words that every section has say little about which one to quote; those that none has, nothing. */
function weights(asked: readonly string[], candidates: readonly Candidate[]): ReadonlyMap<string, number> {
  const weighted = asked.map((word): [string, number] => {
    const having = candidates.filter(({ words }) => words.has(word)).length;
    return [word, having === 0 ? 0 : Math.log(1 + candidates.length / having)];
  });
  return new Map(weighted.filter(([, weight]) => weight > 0));
}

function adds(
  { text, words }: Candidate,
  closeness: number,
  chosen: readonly Candidate[],
  asked: ReadonlyMap<string, number>,
  wordsOf: WordsOf,
): boolean {
  if (closeness < NOT_FAR_BEHIND) return false;
  const said = new Set(wordsOf(text));
  if (chosen.some((other) => isRepeated(said, other.words))) return false;
  const sum = (words: readonly string[]) => words.reduce((total, word) => total + asked.get(word)!, 0);
  const had = [...asked.keys()].filter((word) => words.has(word));
  const missing = had.filter((word) => !chosen.some((other) => other.words.has(word)));
  if (missing.length > 0 && sum(missing) >= MISSING * sum([...asked.keys()])) return true;
  return closeness >= CLOSE;
}

const isRepeated = (words: ReadonlySet<string>, known: ReadonlySet<string>): boolean =>
  [...words].filter((word) => known.has(word)).length > SAME * words.size;
