import { createAnalyzer } from '@parley/language';
import { detected, type Statistics } from './bm25.ts';
import type { AskedTerms } from './question.ts';

/** What is known of a question and one passage. Shares are from 0 to 1, and weighted by rarity. */
export interface Features {
  /**
   * Cosine on a scale that models share: 0 for a question about something else entirely, 1 for neighbours in the corpus.
   * Absent if the search was lexical only.
   */
  similarity?: number;
  /**
   * How far `similarity` is above the mean of the ten best. One passage that answers stands out; of a subject that the
   * knowledge touches without answering, many are equally near. Times the model's contrast. Absent like `similarity`.
   */
  prominence?: number;
  /** Share of the question's words in the passage, its title and headings. */
  coverage: number;
  /** The same for title and headings alone. */
  above: number;
  /** Share of the question's names, commands and numbers that the passage, its title and headings lack. */
  missingNames: number;
  /** Whether the question has a quantity, such as `64 MB`, and the passage nothing that is measured in its unit. */
  missingUnit: boolean;
  /** Share of the question's other words that the whole index lacks; less if it is small, and so lacks most words. */
  unknownWords: number;
  /** Content words of the question, up to 8: the more it has, the less similar is a passage that answers it. */
  length: number;
}

const MAX_LENGTH = 8;
/** Of an index of so many chunks, an unknown word says half as much as of a large one. */
const SMALL_INDEX = 10;

/** Stems are cached for all searches, up to the analyzer's own limit. */
const analyze = createAnalyzer();

const MAX_CHARACTERS = 8_000;

/** What is known of a question without any passage. */
export interface AskedFeatures extends Pick<Features, 'unknownWords' | 'length'> {
  /** Weight of all terms, and of those that are names. */
  readonly all: number;
  readonly names: number;
  /** Of its quantities. */
  readonly units: readonly string[];
  /** The first term of the word that a term stands for. */
  readonly wordOf: ReadonlyMap<string, string>;
}

export function askedFeatures(asked: AskedTerms, { documents, idf, unknown }: Statistics): AskedFeatures {
  const sums = { all: 0, names: 0, unknownWords: 0 };
  for (const [term, { isName }] of asked) {
    const weight = idf.get(term) ?? 0;
    sums.all += weight;
    if (isName) sums.names += weight;
    else if (unknown.has(term)) sums.unknownWords += weight;
  }
  const { all, names } = sums;
  const units = [...asked.values()].flatMap(({ unit }) => unit ?? []);
  const wordOf = new Map([...asked].flatMap(([first, { terms }]) => terms.map((term) => [term, first] as const)));
  const length = Math.min(asked.size, MAX_LENGTH);
  const unknownWords = share(sums.unknownWords, all) * (documents / (documents + SMALL_INDEX));
  return { all, names, units, wordOf, unknownWords, length };
}

/** Looks at the beginning of very long texts only. */
export function passageFeatures(
  passage: { title: string; headings: readonly string[]; text: string; language: string | undefined },
  asked: AskedTerms,
  about: AskedFeatures,
  { idf }: Statistics,
): Omit<Features, 'similarity' | 'prominence'> {
  const weigh = (terms: Iterable<string>) => {
    let sum = 0;
    for (const term of terms) sum += idf.get(term) ?? 0;
    return sum;
  };
  const above = [passage.title, ...passage.headings].join('\n').slice(0, MAX_CHARACTERS);
  const language = passage.language ?? detected(`${above}\n${passage.text}`);
  const held = (text: string) => analyze(text, language).flatMap((term) => about.wordOf.get(term) ?? []);
  const inAbove = new Set(held(above));
  const inAll = withUnits(new Set([...inAbove, ...held(passage.text.slice(0, MAX_CHARACTERS))]), asked);
  const heldNames = [...inAll].filter((term) => asked.get(term)!.isName);
  return {
    coverage: share(weigh(inAll), about.all),
    above: share(weigh(inAbove), about.all),
    missingNames: share(about.names - weigh(heldNames), about.all),
    missingUnit: about.units.some((unit) => !inAll.has(unit)),
    unknownWords: about.unknownWords,
    length: about.length,
  };
}

/** Without the numbers whose unit is missing: a 64-bit processor says nothing about 64 MB. */
const withUnits = (held: ReadonlySet<string>, asked: AskedTerms): ReadonlySet<string> =>
  new Set(
    [...held].filter((term) => {
      const { unit } = asked.get(term)!;
      return unit === undefined || held.has(unit);
    }),
  );

const share = (part: number, all: number): number => (all > 0 ? Math.min(1, Math.max(0, part / all)) : 0);
