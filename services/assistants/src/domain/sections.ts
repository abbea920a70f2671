import { createAnalyzer, questionAnalyzer } from '@parley/language';
import { type Range, type Unit, unitsOf } from './blocks.ts';
import type { Passage } from './cite.ts';

/** A section to quote from, and the passages of it that were found, best first. */
export interface Section {
  text: string;
  passages: readonly [Passage, ...Passage[]];
}

/** A unit of a section with the chance of each of its parts, and of all of them, to be what answers. */
export interface RatedUnit extends Unit {
  chances: readonly number[];
  chance: number;
}

/** Sections that are read; one further behind is hardly ever the one that answers. */
const MAX_SECTIONS = 6;
/** Characters of a question that are read. */
const MAX_QUESTION = 2_000;
/** Characters at the end of a passage that tell where it stands: its beginning may be repeated from an earlier one. */
const TAIL = 100;
/**
 * Log-odds for a part that has all words of the question, for one in the best passage of its section, and for a score that is
 * higher by the whole of the best one's. The first two are fitted to where the answers of 178 questions stand in their section;
 * the last is the best for 120 questions about six small sites, and hardly matters between 5 and 12.
 */
const WEIGHTS = { words: 3, found: 2.4, score: 6 };

const analyze = createAnalyzer();

/** The sections of passages, best first. */
export function sectionsOf(passages: readonly Passage[]): Section[] {
  const sections: { text: string; passages: [Passage, ...Passage[]] }[] = [];
  for (const passage of passages) {
    const text = passage.section || passage.text;
    const same = sections.find(({ text: other, passages: [first] }) => isSame(first, other, passage, text));
    if (same) same.passages.push(passage);
    else if (text.trim() !== '') sections.push({ text, passages: [passage] });
  }
  return sections;
}

/** Sections that are too long come as the parts around their passages, which differ. */
function isSame(first: Passage, other: string, passage: Passage, text: string): boolean {
  if (passage.sectionId) return first.sectionId === passage.sectionId && other.includes(passage.text.slice(-TAIL));
  return first.url === passage.url && first.title === passage.title && other === text;
}

/**
 * The units of sections, and how likely each part of them answers the question: by the question's words that it has, the
 * rarer the heavier, and by what the search found. All chances together are 1.
 */
export function rate(question: string, sections: readonly Section[]): RatedUnit[][] {
  const considered = sections.slice(0, MAX_SECTIONS);
  const best = Math.max(...considered.map(({ passages: [first] }) => first.score)) || 1;
  const units = considered.map(({ text }) => unitsOf(text));
  const coverage = coverageOf(question, considered, units);
  const odds = considered.map(({ text, passages: [passage] }, s) => {
    const found = placeOf(passage.text, text);
    const ofSection = WEIGHTS.score * (passage.score / best - 1);
    return units[s]!.map(({ parts }, u) =>
      parts.map(({ from, to }, p) => {
        const isFound = from >= found.from && to <= found.to;
        return Math.exp(ofSection + WEIGHTS.words * coverage[s]![u]![p]! + (isFound ? WEIGHTS.found : 0));
      }),
    );
  });
  const all = sum(odds.flat(2));
  return units.map((each, s) =>
    each.map((unit, u) => {
      const chances = odds[s]![u]!.map((odd) => odd / all);
      return { ...unit, chances, chance: sum(chances) };
    }),
  );
}

const sum = (numbers: Iterable<number>): number => {
  let total = 0;
  for (const each of numbers) total += each;
  return total;
};

function placeOf(passage: string, text: string): Range {
  const tail = passage.slice(-TAIL);
  const to = text.indexOf(tail) + tail.length;
  return { from: to - passage.length, to };
}

/** The share of the question's words that each part of each unit has with its headings. A frequent word weighs less. */
function coverageOf(question: string, sections: readonly Section[], units: readonly (readonly Unit[])[]) {
  const asked = question.slice(0, MAX_QUESTION);
  const languages = new Set(sections.flatMap(({ passages: [{ language }] }) => language || []));
  const words = questionAnalyzer(asked, [...languages])(asked);
  const wordOf = new Map(words.flatMap((terms, word) => terms.map((term): [string, number] => [term, word])));
  const wordsIn = (text: string, language?: string) =>
    analyze(text, language).flatMap((term) => wordOf.get(term) ?? []);
  const held = sections.map(({ text, passages: [{ title, headings = [], language }] }, s) => {
    const above = wordsIn([title, ...headings].join('\n'), language);
    return units[s]!.map(({ parts }) =>
      parts.map(({ from, to }) => new Set([...above, ...wordsIn(text.slice(from, to), language)])),
    );
  });
  const all = held.flat(2);
  const counts = words.map(() => 0);
  for (const part of all) for (const word of part) counts[word]!++;
  const weights = counts.map((count) => (count === 0 ? 0 : Math.log(1 + all.length / count)));
  const most = sum(weights) || 1;
  const share = (part: ReadonlySet<number>) => sum([...part].map((word) => weights[word]!)) / most;
  return held.map((ofSection) => ofSection.map((parts) => parts.map(share)));
}
