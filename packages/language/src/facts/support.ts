import { isDerivable } from './arithmetic.ts';
import { type Facts, isTimeUnit, plainFacts, type Quantity } from './facts.ts';
import { isKnownDay, isKnownPhone, isKnownQuantity, isKnownTime, isMoney, joinedFacts } from './known-facts.ts';

/** Texts that the hard facts of a sentence may come from. */
export interface FactsBasis {
  /** Facts of the passages that it cites. */
  cited: readonly Facts[];
  /** Facts of the visitor's messages. */
  asked: readonly Facts[];
  /** Facts of the sentences before it. */
  stated: readonly Facts[];
  today: Facts;
  /** Everything that was shown, where literals are looked up. */
  text: SearchedText;
}

export interface SearchedText {
  plain: string;
  /** Without spaces and hyphens. */
  bare: string;
}

export function searchedText(parts: readonly string[]): SearchedText {
  const plain = plainFacts(parts.join('\n')).toLowerCase().replaceAll('www.', '');
  return { plain, bare: plain.replace(/[\s-]/g, '') };
}

/** Returns whether each hard fact is in the basis, however it is written there, or follows from it by arithmetic. */
export function areFactsIn(facts: Facts, basis: FactsBasis): boolean {
  const { cited, asked, stated, today, text } = basis;
  const known = joinedFacts([...cited, ...asked, ...stated, today]);
  return (
    facts.literals.every((literal) => stands(literal, text)) &&
    facts.phones.every((phone) => isKnownPhone(phone, known)) &&
    facts.times.every((time) => isKnownTime(time, known)) &&
    facts.days.every((day) => isKnownDay(day, known)) &&
    areKnownOrComputed(facts, known, basis)
  );
}

/** Returns whether each quantity is known, or computed from known ones or earlier results. */
function areKnownOrComputed({ quantities, mentioned, days }: Facts, known: Facts, basis: FactsBasis): boolean {
  // "1 hour 15 minutes" is known as 75 minutes.
  const parts = quantities.flatMap((whole, i) => {
    const part = quantities[i + 1];
    if (whole.unit !== 'hour' || part?.unit !== 'minute') return [];
    const sum = { values: [whole.values[0]! * 60 + part.values[0]!], unit: 'minute' };
    return isKnownQuantity(sum, known) ? [whole, part] : [];
  });
  const spans = spansOf([...days, ...joinedFacts(basis.asked).days]);
  const isKnown = (quantity: Quantity) =>
    isKnownQuantity(quantity, known) ||
    isKnownQuantity(quantity, { ...known, quantities: spans }) ||
    isFactor(quantity);
  // "Five days at €4 are €20": what it counts with is its own to choose.
  const isFactor = ({ values: [count = 0], unit = '' }: Quantity) =>
    count <= MAX_COUNTED &&
    isTimeUnit(unit) &&
    quantities.some((product) => known.quantities.some(({ values }) => product.values[0] === count * values[0]!));
  const own = [...parts, ...quantities.filter(isKnown)];
  const isSaid = (quantity: Quantity) =>
    own.some(({ values, unit }) => values[0] === quantity.values[0] && unit === quantity.unit);
  for (let round = 0, before = -1; round < ROUNDS && own.length > before; round++) {
    before = own.length;
    for (const quantity of quantities)
      if (!isSaid(quantity) && isComputed(quantity, { own, mentioned, basis })) own.push(quantity);
  }
  return quantities.every(isSaid);
}

const DAY_MS = 86_400_000;

/** From one day to another, with or without the first, and in whole weeks. */
function spansOf(days: Facts['days']): Quantity[] {
  const dates = days.flatMap(({ days: [named], year = 2001 }) =>
    named?.[1] ? [Date.UTC(year, named[0] - 1, named[1]) / DAY_MS] : [],
  );
  const apart = dates.flatMap((from) => dates.map((to) => to - from)).filter((count) => count > 0);
  return apart.flatMap((count) => [
    { values: [count, count + 1], unit: 'day' },
    { values: [Math.floor(count / 7)], unit: 'week' },
  ]);
}

/** A result may stand before what it is made of. */
const ROUNDS = 3;

interface Calculation {
  /** Facts of the same sentence, as far as they are known. */
  own: readonly Quantity[];
  mentioned: readonly number[];
  basis: FactsBasis;
}

/** The sentence may count with them, whether or not they are hard facts. */
const MAX_COUNTED = 12;

/** Money is made of prices and of numbers that count, what is no money, of anything else, and per cent, of per cent. */
function isComputed({ values: [value = 0], unit }: Quantity, { own, mentioned, basis }: Calculation): boolean {
  const [asked, stated, cited] = [basis.asked, basis.stated, basis.cited].map((all) => joinedFacts(all).quantities);
  const isPercent = (other: Quantity) => other.unit === 'percent';
  const percents = [...asked!, ...stated!, ...cited!].filter(isPercent).flatMap(({ values }) => values);
  if (unit === 'percent') return percents.includes(100 - value);
  const isOperand = (other: Quantity) => !isPercent(other) && (!unit || isMoney(unit) || !isMoney(other.unit));
  const numbersOf = (quantities: readonly Quantity[]) => quantities.filter(isOperand).map(({ values }) => values[0]!);
  const prices = cited!.filter((other) => isMoney(other.unit));
  const counted = mentioned.filter((number) => number <= MAX_COUNTED && number !== value);
  return isDerivable(value, isMoney(unit), {
    own: [...numbersOf(own), ...counted],
    asked: numbersOf(asked!),
    stated: numbersOf(stated!),
    cited: numbersOf(isMoney(unit) && prices.length > 0 ? prices : cited!),
    percents,
  });
}

/** Letters of scripts without spaces may stand before and after. */
const LETTER = String.raw`(?![\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}])[\p{L}\d_]`;
const goesOn = new RegExp(String.raw`^\.?${LETTER}|^-\p{L}`, 'u');
const begins = new RegExp(`[@.+-]|${LETTER}`, 'u');

/** Returns whether a text has a literal as a whole: an address does not stand in a longer one. */
function stands(literal: string, { plain, bare }: SearchedText): boolean {
  const wanted = literal
    .toLowerCase()
    .replace(/^(?:https?:\/\/)?(?:www\.)?/, '')
    .replace(/(?<!\/)\/+$/, '');
  if (wanted === '') return true;
  for (let at = plain.indexOf(wanted); at !== -1; at = plain.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    const isCut = /[\p{L}\d]$/u.test(wanted) && goesOn.test(plain.slice(end, end + 2));
    const isTail = /^[\p{L}\d]/u.test(wanted) && begins.test(plain.slice(Math.max(0, at - 1), at));
    if (!isCut && !isTail) return true;
  }
  // Names of products are written with and without their hyphens.
  return /^[a-z]+-?\d[a-z\d-]*$/.test(wanted) && bare.includes(wanted.replaceAll('-', ''));
}
