/** What a number may have been made of. */
export interface Operands {
  /** By the visitor, or by sentences of the answer that are supported. */
  said: readonly number[];
  /** In the passages that the answer cites. */
  cited: readonly number[];
}

/** Months and weeks of a year, days of a week, a month and a year, hours and minutes. */
const CALENDAR = [7, 12, 24, 30, 52, 60, 365];
/** A pool of more makes nearly every number. */
const MAX_OPERANDS = 40;
const MAX_OF_THREE = 16;

/** Share of the numbers like this one that may be derivable too: a wrong one passes as often. */
const OF_SAID = 0.2;
const OF_CITED = 0.1;

/**
 * Whether a step or two of arithmetic make a number of others, and a wrong number in its place would hardly pass: few of
 * the numbers of its magnitude and precision can be made in that way.
 */
export function isDerivable(value: number, { said, cited }: Operands): boolean {
  const [own, shown] = [poolOf(said), poolOf(cited)];
  const few = own.length <= MAX_OF_THREE ? own : [];
  return (
    isRare(value, pairs(own, own), OF_SAID) ||
    isRare(value, pairs(own, shown), OF_SAID) ||
    isRare(value, scaled(shown, CALENDAR), OF_CITED) ||
    isRare(value, scaled(own, CALENDAR), OF_CITED) ||
    isRare(value, pairs(shown, shown), OF_CITED) ||
    isRare(value, sumsOfProducts(few, few), OF_SAID) ||
    isRare(value, sumsOfProducts(few, shown.slice(0, MAX_OF_THREE)), OF_CITED) ||
    isRare(value, products(few, shown), OF_CITED) ||
    isRare(value, shares([...own, ...shown]), OF_CITED)
  );
}

const poolOf = (numbers: readonly number[]): number[] =>
  [...new Set(numbers)].filter((number) => number > 0).slice(0, MAX_OPERANDS);

function isRare(value: number, made: Iterable<number>, limit: number): boolean {
  const [precision, step] = [precisionOf(value), stepOf(value)];
  const like = new Set<number>();
  let isMade = false;
  for (const other of made) {
    if (Math.abs(other - value) <= precision / 2 + 1e-9) isMade = true;
    const steps = Math.round(other / step);
    if (other >= value / 2 && other <= value * 2 && Math.abs(other / step - steps) < 1e-6) like.add(steps);
  }
  return isMade && like.size <= limit * Math.max(1, (1.5 * value) / step);
}

const precisionOf = (value: number): number => 10 ** -(String(value).split('.')[1]?.length ?? 0);

/** Of the last digit that is not zero, but for numbers as round as 100, which are few. */
function stepOf(value: number): number {
  let step = precisionOf(value);
  while (step < 1 ? false : value % (step * 10) === 0 && step * 100 <= value) step *= 10;
  return step;
}

function* pairs(some: readonly number[], others: readonly number[]): Generator<number> {
  for (const a of some)
    for (const b of others) {
      yield a + b;
      yield Math.abs(a - b);
      yield a * b;
      yield a / b;
      yield b / a;
    }
}

function* scaled(some: readonly number[], factors: readonly number[]): Generator<number> {
  for (const a of some)
    for (const factor of factors) {
      yield a * factor;
      yield a / factor;
    }
}

/** Two adults and three children; a fee and so much for each. */
function* sumsOfProducts(some: readonly number[], others: readonly number[]): Generator<number> {
  for (const [i, a] of some.entries())
    for (const b of others) {
      for (const c of others) yield a * b + c;
      for (const c of some.slice(i + 1)) for (const d of others) yield a * b + c * d;
    }
}

/** People for months, each at a price. */
function* products(some: readonly number[], others: readonly number[]): Generator<number> {
  for (const [i, a] of some.entries())
    for (const b of others) for (const c of [...some.slice(i + 1), ...CALENDAR]) yield a * b * c;
}

/** Per cent of something, what is left of it, and what it comes to. */
function* shares(all: readonly number[]): Generator<number> {
  for (const a of all)
    for (const percent of all)
      if (percent < 100) {
        yield (a * percent) / 100;
        yield (a * (100 - percent)) / 100;
        yield (a * (100 + percent)) / 100;
      }
}
