import { isDerivable } from './arithmetic.ts';
import type { Facts, Quantity } from './facts.ts';
import { normal } from './facts.ts';

/** What the hard facts of a sentence may come from. */
export interface Basis {
  /** Of the passages that it cites. */
  cited: readonly Facts[];
  /** Of the visitor's messages. */
  asked: readonly Facts[];
  today: Facts;
  /** Of sentences before it. */
  stated: readonly Facts[];
  /** Everything that was shown, where literals are looked up. */
  text: Text;
}

export interface Text {
  plain: string;
  /** Without spaces and hyphens. */
  bare: string;
}

export function textFrom(parts: readonly string[]): Text {
  const plain = normal(parts.join('\n')).toLowerCase().replaceAll('www.', '');
  return { plain, bare: plain.replace(/[\s-]/g, '') };
}

/** Whether each hard fact is in the basis, however it is written there, or follows from it by arithmetic. */
export function areSupported(facts: Facts, basis: Basis): boolean {
  const { cited, asked, stated, today, text } = basis;
  const known = [...cited, ...asked, ...stated, today];
  const quantities = known.flatMap((one) => one.quantities);
  const times = known.flatMap((one) => one.times);
  const phones = known.flatMap((one) => one.phones);
  const days = known.flatMap((one) => one.days);
  return (
    facts.literals.every((literal) => stands(literal, text)) &&
    facts.phones.every((phone) => phones.some((other) => isSamePhone(phone, other))) &&
    facts.times.every((time) => isKnownTime(time, times, quantities)) &&
    facts.days.every((day) => isKnownDay(day, days, quantities)) &&
    areKnownOrComputed(facts, basis, (quantity) => isKnownQuantity(quantity, quantities, { times, days }))
  );
}

/** What is known may be calculated with, also what was calculated before it. */
function areKnownOrComputed({ quantities }: Facts, basis: Basis, isKnown: (quantity: Quantity) => boolean): boolean {
  // "1 hour 15 minutes" is known as 75 minutes.
  const parts = quantities.flatMap((whole, i) => {
    const part = quantities[i + 1];
    if (whole.unit !== 'hour' || part?.unit !== 'minute') return [];
    const sum = { values: [whole.values[0]! * 60 + part.values[0]!], unit: 'minute' };
    return isKnown(sum) ? [whole, part] : [];
  });
  const own = [...parts, ...quantities.filter(isKnown)];
  return quantities.every((quantity) => {
    if (isKnown(quantity) || own.some(({ values }) => values[0] === quantity.values[0])) return true;
    const isRight = isComputed(quantity, own, basis);
    if (isRight) own.push(quantity);
    return isRight;
  });
}

/** Whether a text has a literal as a whole: an address does not stand in a longer one. */
function stands(literal: string, { plain, bare }: Text): boolean {
  const wanted = literal
    .toLowerCase()
    .replace(/^https?:\/\/(?:www\.)?|^www\./, '')
    .replace(/[/]+$/, '');
  for (let at = plain.indexOf(wanted); at !== -1; at = plain.indexOf(wanted, at + 1)) {
    const [before, after] = [
      plain.slice(Math.max(0, at - 1), at),
      plain.slice(at + wanted.length, at + wanted.length + 2),
    ];
    const isCut = /[\p{L}\d]$/u.test(wanted) && /^\.?[\p{L}\d_]|^-\p{L}/u.test(after);
    if (!isCut && !(/^[\p{L}\d]/u.test(wanted) && /[\p{L}\d@._+-]/u.test(before))) return true;
  }
  // Names of products are written with and without their hyphens.
  return /^[a-z]+-?\d[a-z\d-]*$/.test(wanted) && bare.includes(wanted.replaceAll('-', ''));
}

/** With or without the prefix of a country. */
function isSamePhone(one: string, other: string): boolean {
  const [a, b] = [one.replace(/^0+/, ''), other.replace(/^0+/, '')];
  return Math.min(a.length, b.length) >= 6 && (a.endsWith(b) || b.endsWith(a));
}

const HALF_A_DAY = 720;

const isSameTime = (one: number, other: number): boolean => (one - other) % HALF_A_DAY === 0;

/** `9`, `9.30` and `21` as times. */
const timeOf = (value: number): number => Math.floor(value) * 60 + Math.round((value % 1) * 100);

/** As it is named, or so long before or after another time. */
function isKnownTime(time: number, times: readonly number[], quantities: readonly Quantity[]): boolean {
  const hours = quantities.filter(({ unit = 'hour' }) => unit === 'hour').flatMap(({ values }) => values);
  const known = [...times, ...hours.filter((value) => value <= 24).map(timeOf)];
  const apart = quantities.flatMap(({ values, unit }) =>
    unit === 'minute' ? values : unit === 'hour' ? values.map((value) => value * 60) : [],
  );
  return known.some((other) =>
    [0, ...apart].some((minutes) => isSameTime(time, other + minutes) || isSameTime(time, other - minutes)),
  );
}

function isKnownDay(day: Facts['days'][number], known: Facts['days'], quantities: readonly Quantity[]): boolean {
  const hasNumber = (wanted: number) => quantities.some(({ values, unit }) => !unit && values.includes(wanted));
  const hasYear = (other?: number) => day.year === undefined || day.year === (other ?? day.year);
  return day.days.some(([month, date]) =>
    known.some(({ days, year }) =>
      days.some(
        // `1-14 June` names the month once.
        ([otherMonth, otherDate]) =>
          month === otherMonth && (date === undefined || date === otherDate || hasNumber(date)) && hasYear(year),
      ),
    ),
  );
}

/** How many of the second unit the first one has. */
const CONVERSIONS: Readonly<Record<string, number>> = {
  ...{ 'week day': 7, 'day hour': 24, 'hour minute': 60, 'minute second': 60, 'year month': 12, 'year week': 52 },
  ...{ 'year day': 365, 'month day': 30, 'month week': 4, 'kilometer meter': 1_000, 'meter centimeter': 100 },
  ...{ 'centimeter millimeter': 10, 'kilogram gram': 1_000, 'liter milliliter': 1_000 },
};

/** By what a quantity in the second unit is multiplied to be one in the first; undefined if it is something else. */
function factorOf(unit: string | undefined, other: string | undefined): number | undefined {
  if (unit === undefined || other === undefined || unit === other) return 1;
  if (unit.startsWith('money:') && other.startsWith('money:'))
    return unit.length === 6 || other.length === 6 ? 1 : undefined;
  const factor = CONVERSIONS[`${other} ${unit}`];
  return factor ?? (CONVERSIONS[`${unit} ${other}`] && 1 / CONVERSIONS[`${unit} ${other}`]!);
}

/** A number without a unit may be an hour or the day of a month. */
const isKnownQuantity = (
  said: Quantity,
  known: readonly Quantity[],
  { times, days }: Pick<Facts, 'times' | 'days'>,
): boolean =>
  known.some(({ values, unit }) => {
    const factor = factorOf(said.unit, unit);
    return factor !== undefined && said.values.some((value) => values.some((other) => isNear(value, other * factor)));
  }) ||
  (!said.unit &&
    said.values.some(
      (value) =>
        (value <= 24 && times.some((time) => isSameTime(timeOf(value), time))) ||
        days.some((day) => day.days.some(([, date]) => date === value)),
    ));

const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= 1e-9 * Math.abs(one);

const isMoney = (unit: string | undefined): boolean => unit?.startsWith('money:') ?? false;

/** Money is made of money and of numbers that count; what is no money, of anything else; per cent, of per cent. */
function isComputed({ values, unit }: Quantity, own: readonly Quantity[], { cited, asked, stated }: Basis): boolean {
  const quantitiesOf = (facts: readonly Facts[]) => facts.flatMap(({ quantities }) => quantities);
  const all = [asked, stated, cited].map(quantitiesOf);
  const isPercent = (other: Quantity) => other.unit === 'percent';
  const percents = all
    .flat()
    .filter(isPercent)
    .flatMap((percent) => percent.values);
  if (unit === 'percent') return percents.some((percent) => values.includes(100 - percent));
  const isOperand = (other: Quantity) => !isPercent(other) && (!unit || isMoney(unit) || !isMoney(other.unit));
  const numbersOf = (quantities: readonly Quantity[]) => quantities.filter(isOperand).flatMap((other) => other.values);
  const prices = all[2]!.filter((other) => isMoney(other.unit));
  const operands = {
    own: numbersOf(own),
    asked: numbersOf(all[0]!),
    stated: numbersOf(all[1]!),
    cited: numbersOf(isMoney(unit) && prices.length > 0 ? prices : all[2]!),
    percents,
  };
  return isDerivable(values[0]!, isMoney(unit), operands);
}
