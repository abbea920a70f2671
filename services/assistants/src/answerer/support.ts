import { type Claims, claimsOf, formsOf, normal, numbersOf, wordsOf } from './claims.ts';
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

/** What a text contains. */
interface Contents {
  forms: ReadonlySet<string>;
  numbers: ReadonlySet<string>;
  text: string;
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
  const known = { sources, asked, quoted, both: union([quoted, asked]) };
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

export function contentsOf(text: string): Contents {
  const plain = normal(text);
  return {
    forms: new Set(wordsOf(plain).flatMap(formsOf)),
    numbers: new Set(numbersOf(plain)),
    text: plain.toLowerCase().replace(/\s+/g, ' '),
  };
}

const sourcesOf = (quotation: Quotation): Source[] =>
  unitsOf(quotation.text).map(({ text }) => ({ quotation, ...contentsOf(text), limited: claimsOf(text).limited }));

/** The quotations that a sentence rests on; undefined if it is not supported. */
function supportOf(sentence: string, { sources, asked, quoted, both }: Known): Quotation[] | undefined {
  const claims = claimsOf(sentence);
  if (!allIn(claims, both) || !mostWordsIn(sentence, both)) return undefined;
  const said = pieces(claims);
  const fromQuotes = said.filter((isIn) => isIn(quoted));
  if (fromQuotes.length === 0 || fromQuotes.length < said.length * FROM_QUOTES) return undefined;
  const cover = covering(fromQuotes, sources, claims.limited);
  if (cover.some(({ limited }) => limited) !== claims.limited) return undefined;
  if (!claims.numbers.every((number) => asked.numbers.has(number) || isBeside(number, claims, cover))) return undefined;
  if (affirms(sentence) && !isAffirmed(cover, asked)) return undefined;
  return [...new Set(cover.map(({ quotation }) => quotation))];
}

/** Whether leaving a sentence out could change what an answer says, as opposed to how it sounds. */
function isClaim(sentence: string): boolean {
  const { numbers, identifiers, limited } = claimsOf(sentence);
  return numbers.length > 0 || identifiers.length > 0 || limited || affirms(sentence);
}

function union(contents: readonly Contents[]): Contents {
  return {
    forms: new Set(contents.flatMap(({ forms }) => [...forms])),
    numbers: new Set(contents.flatMap(({ numbers }) => [...numbers])),
    text: contents.map(({ text }) => text).join(' '),
  };
}

const allIn = ({ numbers, identifiers, names }: Claims, known: Contents): boolean =>
  numbers.every((number) => known.numbers.has(number)) &&
  identifiers.every((identifier) => holds(known.text, identifier)) &&
  names.every((name) => isKnown(name, known));

const isKnown = (forms: readonly string[], { forms: known }: Contents): boolean =>
  forms.some((form) => known.has(form));

/** Whether the text has it as a whole: `-r` is not in `-rf`, nor `/etc/hosts` in `/etc/hosts.allow`. */
function holds(text: string, identifier: string): boolean {
  const isPart = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}_]/u.test(character);
  for (let at = text.indexOf(identifier); at !== -1; at = text.indexOf(identifier, at + 1)) {
    const end = at + identifier.length;
    const goesOn = isPart(text[end]) || (/[-_.:/\\@=]/.test(text[end] ?? '') && isPart(text[end + 1]));
    if (!isPart(text[at - 1]) && !(isPart(identifier.at(-1)) && goesOn)) return true;
  }
  return false;
}

/** Clause by clause: in a long sentence, one more word like "free" would not count. */
function mostWordsIn(sentence: string, known: Contents): boolean {
  const clauses = sentence.split(/[,;:()—–]|\.\s|\s(?:and|or|but|und|oder|aber|et|ou|mais|y|o|pero)\s/u);
  return clauses.every((clause) => {
    const { words } = claimsOf(clause);
    const own = words.filter((word) => !isKnown(word, known)).length;
    return own <= Math.floor(words.length * OWN_WORDS);
  });
}

type Piece = (contents: Contents) => boolean;

const pieces = ({ words, names, numbers, identifiers }: Claims): Piece[] => [
  ...[...words, ...names].map(
    (forms): Piece =>
      (contents) =>
        isKnown(forms, contents),
  ),
  ...numbers.map(
    (number): Piece =>
      (contents) =>
        contents.numbers.has(number),
  ),
  ...identifiers.map(
    (identifier): Piece =>
      (contents) =>
        holds(contents.text, identifier),
  ),
];

/** The fewest sentences that contain all pieces, greedily; among equals those that deny or restrict as the answer does. */
function covering(all: readonly Piece[], sources: readonly Source[], limited: boolean): Source[] {
  const cover: Source[] = [];
  for (let left = all; left.length > 0 && cover.length < MAX_COVER; ) {
    const scored = sources.map((source) => ({
      source,
      score: left.filter((isIn) => isIn(source)).length + (source.limited === limited ? 0.5 : 0),
    }));
    const { source } = scored.reduce((a, b) => (b.score > a.score ? b : a));
    const rest = left.filter((isIn) => !isIn(source));
    // A piece may be spread over two sources only.
    if (rest.length === left.length) break;
    cover.push(source);
    left = rest;
  }
  return cover;
}

/** Whether a sentence with the number is also about something else of what is said: otherwise it may belong to anything. */
function isBeside(number: string, { words, names }: Claims, sources: readonly Source[]): boolean {
  const others = [...words, ...names];
  return sources.some(
    (source) => source.numbers.has(number) && (others.length === 0 || others.some((forms) => isKnown(forms, source))),
  );
}

const affirms = (sentence: string): boolean => YES.has(wordsOf(normal(sentence))[0]?.toLowerCase() ?? '');

function isAffirmed(sources: readonly Source[], asked: Contents): boolean {
  const known = union(sources);
  const stems = [...asked.forms].filter((form) => !form.endsWith('~'));
  return stems.filter((form) => known.forms.has(form)).length >= stems.length * AFFIRMED;
}
