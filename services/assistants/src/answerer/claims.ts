import { segmentsOf } from '@parley/language';
import { contentWords } from '../domain/words.ts';

/** What a sentence says that a reader could check. */
export interface Claims {
  /** Forms of each content word: it is supported if the evidence has one of them. */
  words: string[][];
  /** Words that begin with a capital letter, as names do: the same. */
  names: string[][];
  /** Numbers in digits, whether written in digits or in words. */
  numbers: string[];
  /** Commands, options, paths, versions, names of variables: lower case, as written otherwise. */
  identifiers: string[];
  /** Whether it denies or restricts something. */
  limited: boolean;
}

/** Words that deny, and words that restrict. A sentence with one of them says something else without it. */
const LIMITS = new Set(
  (
    'no nein non nee нет خیر not never none nothing nobody nowhere neither nor cannot without unable except unless only instead hardly barely ' +
    'nicht kein keine keinen keinem keiner keines nie niemals nichts niemand ohne weder nur außer statt ' +
    'ne pas jamais rien aucun aucune sans ni sauf seulement nunca nada ningún ninguna sin tampoco excepto solo sólo ' +
    'não nenhum sem mai senza nessun niente solo niet geen nooit zonder alleen не никогда без только ни ' +
    'لا ليس ليست لم لن بدون إلا فقط نه نیست نباید هیچ بدون مگر هرگز'
  ).split(' '),
);
/** Contracted `not`, and the prefix of Persian verbs that deny. */
const denying = /n['’]t$|^نمی|^نمي/u;

/** Words of an answer that hold it together and claim nothing. */
const GLUE = new Set(
  (
    'please additionally however simply just first next finally note yes sure certainly according must need needs have ' +
    'following follow follows include includes including using use used via per make makes let lets bitte auch jedoch zuerst ' +
    'dann außerdem zudem muss müssen ja'
  ).split(' '),
);

const NUMBER_WORDS: Readonly<Record<string, number>> = Object.fromEntries(
  [
    'zero null',
    '',
    'two zwei deux dos',
    'three drei trois tres',
    'four vier quatre cuatro',
    'five fünf cinq cinco',
    'six sechs seis',
    'seven sieben sept siete',
    'eight acht huit ocho',
    'nine neun neuf nueve',
    'ten zehn dix diez',
    'eleven elf onze once',
    'twelve zwölf douze doce',
    'thirteen dreizehn',
    'fourteen vierzehn',
    'fifteen fünfzehn',
    'sixteen sechzehn',
    'seventeen siebzehn',
    'eighteen achtzehn',
    'nineteen neunzehn',
    'twenty zwanzig',
  ]
    .flatMap((words, value) => words.split(' ').map((word): [string, number] => [word, value]))
    .concat([
      ['thirty', 30],
      ['forty', 40],
      ['fifty', 50],
      ['sixty', 60],
      ['seventy', 70],
      ['eighty', 80],
      ['ninety', 90],
      ['hundred', 100],
      ['thousand', 1000],
      ['million', 1_000_000],
    ])
    .filter(([word]) => word !== '' && word !== 'once'),
);

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** The words of a text, as written. Splits text without spaces between words, too. */
export const wordsOf = (text: string): string[] =>
  segmentsOf(segmenter, text).flatMap((segment) => (segment.isWord ? [segment.text] : []));

/** Compatible characters and digits of any script are equal. */
export const normal = (text: string): string =>
  text.normalize('NFKC').replace(/\p{Nd}/gu, (digit) => `${digitOf(digit)}`);

/** The digits of a script are ten consecutive code points. */
function digitOf(digit: string): number {
  const code = digit.codePointAt(0)!;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return code - zero;
}

/** Forms under which a word is looked up: its stem, and a shorter one, because stemmers miss irregular ones. */
export function formsOf(word: string): string[] {
  const [stem] = contentWords(word);
  if (stem === undefined) return [];
  const lower = word.toLowerCase();
  const bare = lower.replace(/(?:ations?|ings?|edly|ed|ies|y|es|s|ly|ers?|als?|ions?|e)$/u, '');
  return bare.length >= 3 ? [stem, `${bare.slice(0, 8)}~`] : [stem, `${lower}~`];
}

const decimal = /\d+(?:[.,]\d+)*/g;

/** The numbers of a text in one notation: 30,000 and 30000, 2,8 and 2.8, nine and 9. */
export function numbersOf(text: string, words: readonly string[] = wordsOf(text)): string[] {
  const digits = [...text.matchAll(decimal)].map(([number]) =>
    /^[1-9]\d{0,2}(?:[.,]\d{3})+$/.test(number) ? number.replace(/[.,]/g, '') : number.replace(/,/g, '.'),
  );
  const written = words.flatMap((word) => NUMBER_WORDS[word.toLowerCase()] ?? []);
  return [...digits, ...written.map(String)];
}

/** Punctuation around what was written, but not the dash of an option or the dot of a file. Each run is tried once. */
const around = /^["'“”‘’«»(<[{,;:!?]+|(?<!["'“”‘’«»)>\]},;:!?.…])["'“”‘’«»)>\]},;:!?.…]+$/gu;

function identifiersOf(text: string): string[] {
  const quoted = [...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!.trim().toLowerCase());
  const written = text.replaceAll('`', ' ').split(/\s+/);
  const special = written.map((token) => token.replace(around, '')).filter(isIdentifier);
  return [...quoted, ...special.map((token) => token.toLowerCase())].filter(Boolean);
}

const isIdentifier = (token: string): boolean =>
  /^(?:--?|[$~/\\@.]|\.\.?\/)[\p{L}\p{N}_]/u.test(token) ||
  /[\p{L}\p{N}][_.:\\@=+/]+[\p{L}\p{N}]/u.test(token.replace(/^\d[\d.,:]*\d$|^\p{L}+\/\p{L}+$/u, '')) ||
  /\p{Ll}\p{Lu}|\p{L}\d|\d\p{L}/u.test(token) ||
  /^\p{Lu}{2,}$/u.test(token);

export function claimsOf(sentence: string): Claims {
  const text = normal(sentence);
  const written = wordsOf(text);
  const lower = written.map((word) => word.toLowerCase());
  const plain = written.filter((word, i) => !isNumber(word) && !GLUE.has(lower[i]!) && !isLimit(lower[i]!));
  const forms = (words: string[]) => words.map(formsOf).filter((found) => found.length > 0);
  return {
    words: forms(plain.filter((word) => !isName(word))),
    names: forms(plain.filter(isName)),
    numbers: numbersOf(text, written),
    identifiers: identifiersOf(text),
    limited: lower.some(isLimit),
  };
}

const isName = (word: string): boolean => /^\p{Lu}/u.test(word);
const isLimit = (word: string): boolean => LIMITS.has(word) || denying.test(word);
const isNumber = (word: string): boolean => /^\d/.test(word) || NUMBER_WORDS[word.toLowerCase()] !== undefined;
