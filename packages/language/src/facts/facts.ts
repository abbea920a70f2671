import { foldWord } from '../normalise.ts';
import { numberWords } from '../numbers.ts';
import { segmentsOf, WORDS } from '../segments.ts';
import { namesOf } from './names.ts';

export interface Quantity {
  /** Every value that the text may mean: for `1.000`, both 1000 and 1. */
  values: readonly number[];
  /** As `namesOf` calls it; undefined if none is known. */
  unit?: string | undefined;
}

/** As far as it is named; `3/5` is two days. */
export interface Day {
  /** Months and days of the month. */
  days: readonly (readonly [month: number, day: number | undefined])[];
  year: number | undefined;
}

/** The hard facts of a text: each is either right or wrong, however a sentence puts it. */
export interface Facts {
  quantities: Quantity[];
  /** All numbers, also those that only count what follows: "three ways". */
  mentioned: number[];
  /** Minutes since midnight. */
  times: number[];
  days: Day[];
  /** Digits. */
  phones: string[];
  /** Addresses, code, names of products: what must stand somewhere as it is written. */
  literals: string[];
}

const SUPERSCRIPT = /[²³¹⁰⁴-⁹]/g;
const HALVES: Readonly<Record<string, string>> = { '½': '.5', '¼': '.25', '¾': '.75' };

/** Compatible characters, digits of any script, dashes and spaces are equal; what is not seen is left out. */
export const plainFacts = (text: string): string =>
  text
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Zs}/gu, ' ')
    .replace(/(\d?) ?([½¼¾])/g, (_, whole: string, part: string) => (whole || ' 0') + HALVES[part])
    .replace(SUPERSCRIPT, '')
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, (digit) => `${digitOf(digit)}`)
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[’ʼ]/g, "'")
    .replaceAll('٫', '.')
    .replaceAll('٬', ',');

/** The digits of a script are ten consecutive code points, in sixteens. */
function digitOf(digit: string): number {
  const code = digit.codePointAt(0)!;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return code - zero;
}

const info = /^```\w*/;
const code = /```[^`]*```|`[^`\n]+`/g;
/** Tokens of code, except words in capitals: `POST`, `KEY`. */
const token = /(?<![^\s"'`,;])(?![A-Z]+(?![^\s"'`,;]))[^\s"'`,;]+/g;
const UNSPACED = String.raw`\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}`;
const IN_URL = String.raw`[^\s<>"'\x60\])，。；！？）】」${UNSPACED}]`;
const LABEL = String.raw`[\p{sc=Latin}\d-]`;
const address = new RegExp(
  [
    String.raw`(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+`,
    String.raw`(?<![a-z])(?:[a-z][a-z0-9+.-]{0,30}:\/\/|www\.|(?:javascript|data|vbscript|mailto):)${IN_URL}+`,
    String.raw`(?<![\p{sc=Latin}\d.@/-])${LABEL}{2,}(?:\.${LABEL}{2,})*\.[a-z]{2,15}(?![\p{sc=Latin}\d])(?:\/${IN_URL}*)?`,
  ].join('|'),
  'giu',
);
const command = /(?<![\w-])--[a-z][\w-]*|(?<!\S)[~.]?(?:\/[\w.-]+){2,}|(?<![\w])[A-Za-z][A-Za-z\d]*(?:_[A-Za-z\d]+)+/g;
/** `WPA2`, `CR 2032` with its letters in one word. */
const product = /(?<![A-Za-z\d])[A-Za-z]{1,12}-?\d[A-Za-z\d]*(?:-\d+)*/g;
const attached = /\b[A-Z]{3}(?=\d)/g;
const listNumber = /^[ \t>*#_-]*(?:\p{L}{1,12} )?\(?\d{1,2}(?:[.):](?=[\s*]|$)|、)/gmu;
const clock =
  /(?<![\d:.])([01]?\d|2[0-4])(?::| ?h ?)([0-5]\d)(?![\d:])(?: ?([ap])\.?m\b\.?)?|(?<![\d:.])(1?\d) ?([ap])\.?m\b\.?/giu;
const phone =
  /(?<![\d.,])(?!\d\d?\.\d\d(?!\d))(?:(?:\+\d*|0(?![.,])\d*|\(\d{1,5}\))(?:[ ./-]{1,3}\d+|[ ./-]{0,3}\(\d{1,5}\)[ ./-]{0,3}\d+|(?<=[+)])\d+)+|(?:\+|0)\d{6,14}|(?!\d{1,3}(?: \d{3})+(?![ \d]))\d{2,4}(?:[ ./-]\d{2,4}){2,5}(?!\d))/g;
const number = /(?<!\d)(\p{Sc}|\b[A-Z]{3}(?= ?\d))? ?(\d{1,3}(?: \d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,']\d+)*)/gu;
const numericDay =
  /(?<![\d.])(?:(\d{4})([-/.])(\d{1,2})\2(\d{1,2})|(\d{1,2})([-/.])(\d{1,2})\6(\d{4}|\d{2}))(?!\d)|(?<!\p{Sc} ?|[A-Z]{3} )(0?[1-9]|[12]\d|3[01])\.(0?[1-9]|1[0-2])\.(?=$| \p{Ll}|[,;)])|(?:(\d{4})年 ?)?(\d{1,2})月 ?(\d{1,2})[日号]/gu;

/**
 * The hard facts of a text in a language. Those of an answer are without the numbers that count its lists; in a message, a time
 * without a number is one: "for a week".
 */
export function factsOf(
  text: string,
  language: string | undefined,
  kind: 'page' | 'message' | 'answer' = 'page',
): Facts {
  const isAnswer = kind === 'answer';
  const facts: Facts = { quantities: [], mentioned: [], times: [], days: [], phones: [], literals: [] };
  let rest = plainFacts(text);
  const take = (pattern: RegExp, read: (...groups: (string | undefined)[]) => void) => {
    rest = rest.replace(pattern, (...found) => {
      read(
        ...found.slice(
          0,
          found.findIndex((group) => typeof group === 'number'),
        ),
      );
      return ' · ';
    });
  };
  take(code, (found = '') => facts.literals.push(...(found.replace(info, '').match(token) ?? [])));
  if (isAnswer) take(listNumber, () => {});
  for (const literal of [address, command]) take(literal, (found = '') => facts.literals.push(trimmed(found)));
  takeDays(take, language, facts);
  const { noon } = namesOf(language);
  if (!isAnswer && noon && hasWord(rest, noon)) facts.times.push(12 * 60);
  take(clock, (_, hour, minute = '0', half, whole, ofWhole) => {
    facts.times.push(Number(hour ?? whole) * 60 + Number(minute) + (/p/i.test(half ?? ofWhole ?? '') ? 720 : 0));
  });
  take(phone, (found = '') => {
    const digits = found.replace(/\D/g, '');
    if (digits.length >= 7) facts.phones.push(digits);
    else
      for (const part of digits ? found.split(/\D+/).filter(Boolean) : [])
        facts.quantities.push({ values: [Number(part)] });
  });
  rest = rest.replace(attached, (found) => (unitOf(found, language) ? `${found} ` : found));
  take(product, (found = '') => facts.literals.push(found));
  const all = quantitiesIn(rest, language, facts.literals);
  facts.mentioned = all.map(({ values }) => values[0]!);
  facts.quantities.push(...all.filter((one) => !isAnswer || isHard(one)));
  if (kind === 'message')
    for (const [word] of rest.matchAll(/[\p{L}\p{M}]+/gu)) {
      const unit = unitOf(word, language);
      if (isTimeUnit(unit)) facts.quantities.push({ values: [1], unit });
    }
  return facts;
}

export const isTimeUnit = (unit = ''): boolean => ['hour', 'day', 'week', 'month', 'year'].includes(unit);

const hasWord = (text: string, word: string): boolean =>
  new RegExp(unspaced.test(word) ? word : `(?<![\\p{L}])${word}(?![\\p{L}])`, 'iu').test(text);

/** Drops the punctuation and quotes after an address. */
const trimmed = (found: string): string => found.replace(/(?<![.,;:!?*_/-])[.,;:!?*_/-]+$/, '');

type Take = (pattern: RegExp, read: (...groups: (string | undefined)[]) => void) => void;

function takeDays(take: Take, language: string | undefined, { days, quantities }: Facts): void {
  const { months } = namesOf(language);
  const add = (dates: Day['days'], year: string | undefined) => {
    const of = year === undefined ? undefined : Number(year) + (year.length === 2 ? 2000 : 0);
    days.push({ days: dates, year: of });
    if (of !== undefined) quantities.push({ values: [of] });
  };
  take(numericDay, (_, y1, _s, m1, d1, a, _t, b, y2, d4, m4, y3, m3, d3) => {
    if (y1) add([[Number(m1), Number(d1)]], y1);
    else if (m3) add([[Number(m3), Number(d3)]], y3);
    else if (m4) add([[Number(m4), Number(d4)]], undefined);
    else
      add(
        [
          [Number(b), Number(a)],
          [Number(a), Number(b)],
        ],
        y2,
      );
  });
  const names = [...months.keys()].sort((a, b) => b.length - a.length).map((name) => name.replaceAll('.', '\\.'));
  const month = `(${names.join('|')})(?![\\p{L}\\p{M}])\\.?`;
  const year = '(?:,? (?:de |of )?(\\d{4})(?!\\d))';
  const before = `(?<!\\d)(\\d{1,2})(?:\\p{L}{2}|[.ºª])? (?:de |of |d')?${month}${year}?`;
  const after = `(?<![\\p{L}\\p{M}])${month} (?:(\\d{1,2})(?:st|nd|rd|th)?(?!\\d)${year}?|(\\d{4})(?!\\d))`;
  const monthOf = (name = '') => months.get(name.toLowerCase())!;
  take(new RegExp(before, 'giu'), (_, day, name, y) => add([[monthOf(name), Number(day)]], y));
  take(new RegExp(after, 'giu'), (_, name, day, y, only) =>
    add([[monthOf(name), day === undefined ? undefined : Number(day)]], y ?? only),
  );
}

interface Spelled extends Quantity {
  /** In words, before other words. */
  inWords: boolean;
}

/** Returns whether a number of an answer says more than how many things it lists. */
const isHard = ({ values: [value = 0], unit, inWords }: Spelled): boolean =>
  unit !== undefined ? value > 1 || !inWords : value > (inWords ? 12 : 2);

function quantitiesIn(text: string, language: string | undefined, literals: string[]): Spelled[] {
  const { scales } = namesOf(language);
  const words = new Map([...scales, ...numberWords(language ?? 'en')]);
  const found: Spelled[] = [];
  const rest = text.replace(number, (all, money: string | undefined, digits: string, offset: number) => {
    const tail = text.slice(offset + all.length, offset + all.length + 40);
    const [, next = ''] = /^ ?([\p{L}\p{M}]+)/u.exec(tail) ?? [];
    const times = scales.get(folded(next)) ?? 1;
    const values = valuesOf(digits).map((value) => value * times);
    const unit =
      (money && unitOf(money, language)) ?? unitAfter(times > 1 ? tail.slice(next.length + 1) : tail, language);
    if (values.length === 0) literals.push(digits);
    else found.push({ values, unit, inWords: false });
    return ' · ';
  });
  for (const { value, end } of spelled(rest, words, scales)) {
    const unit = unitAfter(rest.slice(end, end + 40), language);
    // "Three ways" counts what the sentence lists, "at three." does not.
    found.push({ values: [value], unit, inWords: !/^\s*(?:$|[.,;:!?·)])/u.test(rest.slice(end, end + 40)) });
  }
  return found;
}

const MAX_WORDS = 3;
const unspaced = new RegExp(`^[${UNSPACED}]`, 'u');

/** Numbers in words, of up to three words and a multiple of hundred: "twenty-five", "two thousand". */
type Words = ReadonlyMap<string, number>;

function spelled(text: string, words: Words, scales: Words): { value: number; end: number }[] {
  const all = segmentsOf(WORDS, text).filter(({ isWord }) => isWord);
  const found: { value: number; end: number }[] = [];
  for (let i = 0; i < all.length; i++) {
    const first = all[i]!;
    // "Million" after digits.
    if (scales.has(folded(first.text)) && /·\s*$/.test(text.slice(Math.max(0, first.from - 4), first.from))) continue;
    const phrases = Array.from({ length: MAX_WORDS }, (_, more) => all.slice(i, i + MAX_WORDS - more));
    const phrase = phrases.find((phrase) => words.has(folded(phrase.map((word) => word.text).join(' '))));
    if (!phrase) {
      // "三天" is one word.
      const length = unspaced.test(first.text) ? [3, 2, 1].find((length) => words.has(first.text.slice(0, length))) : 0;
      if (length) found.push({ value: words.get(first.text.slice(0, length))!, end: first.from + length });
      continue;
    }
    const value = words.get(folded(phrase.map((word) => word.text).join(' ')))!;
    const times = scales.get(folded(all[i + phrase.length]?.text ?? ''));
    i += phrase.length - (times ? 0 : 1);
    found.push({ value: value * (times ?? 1), end: all[i]!.from + all[i]!.text.length });
  }
  return found;
}

const folded = (word: string): string => foldWord(word.toLowerCase());

function valuesOf(written: string): number[] {
  const separators = written.match(/[.,' ]/g) ?? [];
  const groups = written.split(/[.,' ]/);
  const last = separators.at(-1)!;
  const whole = Number(groups.join(''));
  if (separators.length === 0) return [whole];
  const decimal = Number(`${groups.slice(0, -1).join('')}.${groups.at(-1)}`);
  if (last === ' ' || last === "'") return [whole];
  const areThousands = groups[0]!.length <= 3 && groups[0] !== '0' && groups.at(-1)!.length === 3;
  if (separators.length === 1) return areThousands ? [whole, decimal] : [decimal];
  if (separators.some((separator) => separator !== last)) return [decimal];
  return areThousands && groups.slice(1).every(({ length }) => length === 2 || length === 3) ? [whole] : [];
}

/** The unit that follows a number. */
function unitAfter(text: string, language: string | undefined): string | undefined {
  const [, sign] = /^ ?([%٪]|\p{Sc})/u.exec(text) ?? [];
  if (sign) return unitOf(sign, language);
  const [, first, second] = /^[ -]?([\p{L}\p{M}°]+)\.?(?: ([\p{L}\p{M}]+))?/u.exec(text) ?? [];
  if (first === undefined) return undefined;
  return (
    unitOf(second ? `${first} ${second}` : first, language) ??
    unitOf(first, language) ??
    unitOfUnspaced(first, language)
  );
}

function unitOf(name: string, language: string | undefined): string | undefined {
  if (name === '%' || name === '٪') return 'percent';
  if (/^\p{Sc}$/u.test(name)) return `money:${name}`;
  const { units } = namesOf(language);
  return units.get(/^[A-Z]{3}$/.test(name) ? name : name.toLowerCase());
}

const unitOfUnspaced = (text: string, language: string | undefined) =>
  unspaced.test(text) ? [3, 2, 1].map((length) => unitOf(text.slice(0, length), language)).find(Boolean) : undefined;
