import type { Day, Facts, Quantity } from './facts.ts';

type Known = Omit<Facts, 'literals'>;

/** All facts together. */
export const joinedFacts = (all: readonly Facts[]): Facts => ({
  quantities: all.flatMap(({ quantities }) => quantities),
  mentioned: all.flatMap(({ mentioned }) => mentioned),
  times: all.flatMap(({ times }) => times),
  days: all.flatMap(({ days }) => days),
  phones: all.flatMap(({ phones }) => phones),
  literals: all.flatMap(({ literals }) => literals),
});

/** With or without the prefix of a country. */
export function isKnownPhone(phone: string, { phones, mentioned }: Known): boolean {
  const bare = phone.replace(/^0+/, '');
  return [...phones, ...mentioned.map(String)].some((known) => {
    const other = known.replace(/^0+/, '');
    return Math.min(bare.length, other.length) >= 6 && (bare.endsWith(other) || other.endsWith(bare));
  });
}

const HALF_A_DAY = 720;

const isSameTime = (one: number, other: number): boolean => (one - other) % HALF_A_DAY === 0;

/** `9`, `9.30` and `21` as times. */
const timeOf = (value: number): number => Math.floor(value) * 60 + Math.round((value % 1) * 100);

/** A time of day as it is named, or so long before or after another one. */
export function isKnownTime(time: number, { times, quantities }: Pick<Known, 'times' | 'quantities'>): boolean {
  const hours = quantities.filter(({ unit = 'hour' }) => unit === 'hour').flatMap(({ values }) => values);
  const known = [...times, ...hours.filter((value) => value <= 24).map(timeOf)];
  const apart = quantities.flatMap(({ values, unit }) =>
    unit === 'minute' ? values : unit === 'hour' ? values.map((value) => value * 60) : [],
  );
  return known.some((other) =>
    [0, ...apart].some((minutes) => isSameTime(time, other + minutes) || isSameTime(time, other - minutes)),
  );
}

/** A day that is named, or one of a month that is, by a number of its own: `1-14 June`. */
export function isKnownDay({ days, year }: Day, known: Known): boolean {
  const hasNumber = (date: number) => known.quantities.some(({ values, unit }) => !unit && values.includes(date));
  return days.some(([month, date]) =>
    known.days.some(
      (other) =>
        (year === undefined || other.year === undefined || year === other.year) &&
        other.days.some(
          ([otherMonth, otherDate]) =>
            month === otherMonth && (date === undefined || date === otherDate || hasNumber(date)),
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
  if (isMoney(unit) && isMoney(other)) return unit === MONEY || other === MONEY ? 1 : undefined;
  const back = CONVERSIONS[`${unit} ${other}`];
  return CONVERSIONS[`${other} ${unit}`] ?? (back && 1 / back);
}

const MONEY = 'money:';

export const isMoney = (unit: string | undefined): boolean => unit?.startsWith(MONEY) ?? false;

/** In any unit that measures the same. A number without a unit may be an hour or the day of a month. */
export function isKnownQuantity({ values, unit }: Quantity, { quantities, times, days }: Known): boolean {
  const isAs = (other: Quantity) => {
    const factor = factorOf(unit, other.unit);
    return factor !== undefined && values.some((value) => other.values.some((known) => isNear(value, known * factor)));
  };
  const isTime = (value: number) =>
    value <= 24 && times.length > 0 && isKnownTime(timeOf(value), { times, quantities });
  const isDate = (value: number) => days.some((day) => day.days.some(([, date]) => date === value));
  return quantities.some(isAs) || (!unit && values.some((value) => isTime(value) || isDate(value)));
}

const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= 1e-9 * Math.abs(one);
