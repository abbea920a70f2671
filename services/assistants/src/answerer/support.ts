import { type Claims, claimsOf, normal, wordsOf } from './claims.ts';
import { type Contents, contentsOf, isKnown, union } from './contents.ts';
import { createPlaces, type Places } from './places.ts';
import { type Quotation, unitsOf } from './quotation.ts';

/** Share of the words of a clause that may be the model's own, as in "The refund is issued within a week". */
const OWN_WORDS = 0.2;
/** Share of what a sentence says that must be in the quotes: the question alone supports nothing. */
const FROM_QUOTES = 0.6;
/** Share of the question's words in the sentences that a "yes" rests on. */
const AFFIRMED = 0.6;
/** Sentences that one sentence of an answer may rest on. */
const MAX_COVER = 10;

/** A sentence of an answer, with the quotations that it rests on. */
export interface Proven {
  text: string;
  quotations: readonly Quotation[];
}

/** A sentence of a quotation, or a list with its introduction. */
interface Source extends Contents {
  quotation: Quotation;
  limited: boolean;
}

/** What an answer may rest on. */
interface Known {
  sources: readonly Source[];
  /** All sources together. */
  quoted: Contents;
  asked: Contents;
  /** Sources and question. */
  both: Contents;
  places: Places;
}

const YES = new Set('yes yep ja doch oui si sí sim да بله آری نعم'.split(' '));

/**
 * Checks an answer sentence by sentence against the quotes that it is said to rest on. A sentence is proven if each of its
 * numbers, names and identifiers, most of its other words, and a yes or a no are in them or in the question, and if it
 * denies or restricts something exactly where they do.
 *
 * @returns the proven sentences; undefined if the answer would lose something by leaving out the others
 */
export function provenSentences(
  answer: string,
  quotations: readonly Quotation[],
  question: string,
): Proven[] | undefined {
  const sources = quotations.flatMap(sourcesOf);
  const asked = contentsOf(question);
  const quoted = union(sources);
  const known = { sources, asked, quoted, both: union([quoted, asked]), places: createPlaces(sources) };
  const proven: Proven[] = [];
  let complete = true;
  for (const { text } of unitsOf(answer)) {
    const found = supportOf(text, known);
    if (found) proven.push({ text, quotations: found });
    else if (isClaim(text)) return undefined;
    else complete = false;
  }
  const used = new Set(proven.flatMap((sentence) => sentence.quotations));
  const losesNothing = complete || quotations.every((quotation) => used.has(quotation));
  return proven.length > 0 && losesNothing ? proven : undefined;
}

const sourcesOf = (quotation: Quotation): Source[] =>
  unitsOf(quotation.text).map(({ text }) => ({ quotation, ...contentsOf(text), limited: claimsOf(text).limited }));

/** The quotations that a sentence rests on; undefined if it is not supported. */
function supportOf(sentence: string, known: Known): Quotation[] | undefined {
  const { asked, quoted, both } = known;
  const claims = claimsOf(sentence);
  if (!allIn(claims, both) || !mostWordsIn(sentence, both)) return undefined;
  const said = pieces(claims);
  const fromQuotes = said.filter(({ isIn }) => isIn(quoted));
  if (fromQuotes.length === 0 || fromQuotes.length < said.length * FROM_QUOTES) return undefined;
  const cover = covering(fromQuotes, known, claims.limited);
  if (cover.some(({ limited }) => limited) !== claims.limited) return undefined;
  const beside = about(claims, cover);
  if (!claims.numbers.every((number) => asked.numbers.has(number) || beside.has(number))) return undefined;
  if (affirms(sentence) && !isAffirmed(cover, asked)) return undefined;
  return [...new Set(cover.map(({ quotation }) => quotation))];
}

/** Whether leaving a sentence out could change what an answer says, as opposed to how it sounds. */
function isClaim(sentence: string): boolean {
  const { numbers, identifiers, limited } = claimsOf(sentence);
  return numbers.length > 0 || identifiers.length > 0 || limited || affirms(sentence);
}

const allIn = ({ numbers, identifiers, names }: Claims, known: Contents): boolean =>
  numbers.every((number) => known.numbers.has(number)) &&
  identifiers.every((identifier) => known.holds(identifier)) &&
  names.every((name) => isKnown(name, known));

/** Clause by clause: in a long sentence, one more word like "free" would not count. */
function mostWordsIn(sentence: string, known: Contents): boolean {
  const clauses = sentence.split(/[,;:()—–]|\.\s|\s(?:and|or|but|und|oder|aber|et|ou|mais|y|o|pero)\s/u);
  return clauses.every((clause) => {
    const { words } = claimsOf(clause);
    const own = words.filter((word) => !isKnown(word, known)).length;
    return own <= Math.floor(words.length * OWN_WORDS);
  });
}

/** Something that a sentence says. */
interface Piece {
  isIn(contents: Contents): boolean;
  /** The sources that contain it, by their position. */
  placesIn(places: Places): ReadonlySet<number>;
}

const pieces = ({ words, names, numbers, identifiers }: Claims): Piece[] => [
  ...[...words, ...names].map((forms) => ({
    isIn: (contents: Contents) => isKnown(forms, contents),
    placesIn: (places: Places) => places.ofWord(forms),
  })),
  ...numbers.map((number) => ({
    isIn: (contents: Contents) => contents.numbers.has(number),
    placesIn: (places: Places) => places.ofNumber(number),
  })),
  ...identifiers.map((identifier) => ({
    isIn: (contents: Contents) => contents.holds(identifier),
    placesIn: (places: Places) => places.ofIdentifier(identifier),
  })),
];

/** The fewest sentences that contain all pieces, greedily; among equals those that deny or restrict as the answer does. */
function covering(all: readonly Piece[], { sources, places }: Known, limited: boolean): Source[] {
  const cover: Source[] = [];
  let left = all.map((piece) => piece.placesIn(places));
  while (left.length > 0 && cover.length < MAX_COVER) {
    const scores = new Map<number, number>();
    for (const found of left)
      for (const at of found) scores.set(at, (scores.get(at) ?? (sources[at]!.limited === limited ? 0.5 : 0)) + 1);
    const [best] = [...scores].reduce((a, b) => (b[1] > a[1] || (b[1] === a[1] && b[0] < a[0]) ? b : a), [-1, 0]);
    // A piece may be spread over two sources only.
    if (best === -1) break;
    cover.push(sources[best]!);
    left = left.filter((found) => !found.has(best));
  }
  return cover;
}

/** Numbers in sentences that are also about something else of what is said: in others they may belong to anything. */
function about({ words, names }: Claims, sources: readonly Source[]): ReadonlySet<string> {
  const others = [...words, ...names];
  const related = sources.filter((source) => others.length === 0 || others.some((forms) => isKnown(forms, source)));
  return new Set(related.flatMap(({ numbers }) => [...numbers]));
}

const affirms = (sentence: string): boolean => YES.has(wordsOf(normal(sentence))[0]?.toLowerCase() ?? '');

function isAffirmed(sources: readonly Source[], asked: Contents): boolean {
  const known = union(sources);
  const stems = [...asked.forms].filter((form) => !form.endsWith('~'));
  return stems.filter((form) => known.forms.has(form)).length >= stems.length * AFFIRMED;
}
