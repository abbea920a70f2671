import { primaryTag } from '../detect.ts';
import { numberWords } from '../numbers.ts';

/** How a language calls months, units and currencies. English names are always among them: pages mix languages. */
export interface Names {
  /** 1 to 12 by name in lower case, long and short. */
  months: ReadonlyMap<string, number>;
  /**
   * Units by name in lower case: as `Intl` identifies them, or `money:` with the symbol, which is missing where several
   * currencies share the name. Codes such as `EUR` are in upper case.
   */
  units: ReadonlyMap<string, string>;
  /** The language's word for noon; empty if it has none. */
  noon: string;
  /** Words that multiply the number before them: "hundred", "million". */
  scales: ReadonlyMap<string, number>;
}

const UNITS = [
  ...['percent', 'second', 'minute', 'hour', 'day', 'week', 'month', 'year'],
  ...['millimeter', 'centimeter', 'meter', 'kilometer', 'gram', 'kilogram', 'milliliter', 'liter'],
  ...['celsius', 'kilobyte', 'megabyte', 'gigabyte'],
];
/** One of each plural form that languages have. */
const COUNTS = [1, 2, 3, 5, 100];

const known = new Map<string, Names>();

/** Names in a language (BCP 47), as `Intl` knows them. */
export function namesOf(tag: string | undefined): Names {
  const primary = primaryTag(tag) ?? 'en';
  const language = Intl.NumberFormat.supportedLocalesOf(primary).length > 0 ? primary : 'en';
  const names = known.get(language) ?? createNames([...new Set([language, 'en', 'en-GB'])]);
  known.set(language, names);
  return names;
}

function createNames(languages: readonly string[]): Names {
  const [months, units] = [new Map<string, number>(), new Map<string, string>()];
  for (const language of languages) {
    for (const [name, month] of monthsIn(language)) if (!months.has(name)) months.set(name, month);
    const own = new Map<string, string>();
    for (const [name, unit] of [...unitsIn(language), ...moneyIn(language)]) {
      // One letter may be short for several: a month or a metre.
      const isAmbiguous = name.length === 1 && (own.get(name) ?? unit) !== unit;
      if (isAmbiguous || !own.has(name)) own.set(name, isAmbiguous ? '' : unit);
    }
    for (const [name, unit] of own) if (unit !== '' && !units.has(name)) units.set(name, unit);
  }
  return { months, units, noon: noonIn(languages[0]!), scales: scalesIn(languages[0]!) };
}

function scalesIn(language: string): Map<string, number> {
  const words = numberWords(language);
  const pairs = [...words].map(([name, value]): [string[], number] => [name.split(' '), value]);
  const found = pairs.flatMap(([[first, scale, ...others], value]): [string, number][] => {
    const times = value / (words.get(first!) ?? 1);
    return scale !== undefined && others.length === 0 && [100, 1_000, 1e6, 1e9].includes(times) ? [[scale, times]] : [];
  });
  return new Map(found);
}

/** Also as they are inflected beside a day. */
function* monthsIn(language: string): Generator<[string, number]> {
  for (const month of ['long', 'short'] as const)
    for (const day of [undefined, 'numeric'] as const) {
      const format = new Intl.DateTimeFormat(`${language}-u-ca-gregory`, { month, day });
      for (let i = 0; i < 12; i++) {
        const name = format.formatToParts(new Date(2024, i, 3)).find(({ type }) => type === 'month')?.value ?? '';
        if (/^[\p{L}\p{M}. ]+$/u.test(name)) yield [nameOf(name), i + 1];
      }
    }
}

function noonIn(language: string): string {
  const format = new Intl.DateTimeFormat(language, {
    hour: 'numeric',
    hour12: true,
    dayPeriod: 'long',
    timeZone: 'UTC',
  });
  const periodAt = (hour: number) =>
    format.formatToParts(Date.UTC(2024, 0, 1, hour)).find(({ type }) => type === 'dayPeriod')?.value ?? '';
  return periodAt(12) === periodAt(13) ? '' : nameOf(periodAt(12));
}

function* unitsIn(language: string): Generator<[string, string]> {
  for (const unitDisplay of ['long', 'short'] as const)
    for (const unit of UNITS) {
      const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay });
      for (const count of COUNTS) {
        const name = format.formatToParts(count).find(({ type }) => type === 'unit' || type === 'percentSign')?.value;
        if (name) yield [nameOf(name), unit];
      }
    }
}

/** People say "dollars", not "US dollars". */
function moneyIn(language: string): Map<string, string> {
  const found = new Map<string, string>();
  const add = (name: string, unit: string) => found.set(name, (found.get(name) ?? unit) === unit ? unit : 'money:');
  for (const currency of Intl.supportedValuesOf('currency')) {
    const partOf = (currencyDisplay: 'narrowSymbol' | 'name', count: number) =>
      new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay, maximumFractionDigits: 0 })
        .formatToParts(count)
        .find(({ type }) => type === 'currency')!.value;
    const symbol = partOf('narrowSymbol', 1);
    const unit = `money:${symbol}`;
    found.set(currency, unit);
    if (/^\p{Ll}|^\p{L}\p{Ll}/u.test(symbol)) add(nameOf(symbol), unit);
    for (const count of [1, 2, 5]) {
      const name = nameOf(partOf('name', count));
      add(name, unit);
      if (name.includes(' ')) add(name.slice(name.lastIndexOf(' ') + 1), unit);
    }
  }
  return found;
}

const nameOf = (name: string): string => name.normalize('NFKC').toLowerCase().replace(/\.$/, '').trim();
