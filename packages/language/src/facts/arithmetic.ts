/** Numbers that another may have been computed from. */
export interface Operands {
  /** Numbers of the same sentence, as far as they are supported. */
  own: readonly number[];
  /** Numbers of the visitor's. */
  asked: readonly number[];
  /** Numbers of the sentences before. */
  stated: readonly number[];
  /** Numbers of the passages that the answer cites. */
  cited: readonly number[];
  /** Per cent, of any of them. */
  percents: readonly number[];
}

/** Days of a week, a month and a year; weeks and months of a year; hours and minutes. */
const CALENDAR = [7, 12, 24, 30, 52, 60, 365];
/** More operands make nearly every number. */
const MAX_OPERANDS = 40;
const FEW = 8;
/** Share of the numbers like a result that may be results, too: a wrong number passes as often. */
const SHARE = 0.15;

/**
 * Returns whether a step or two of arithmetic make a number of others, and a wrong number would hardly pass: few numbers of its
 * magnitude and precision can be made in the same way.
 *
 * @param isMoney prices are added up, halved and doubled more often than other numbers.
 */
export function isDerivable(value: number, isMoney: boolean, operands: Operands): boolean {
  const [own, asked, cited] = [operands.own, operands.asked, operands.cited].map(poolOf) as [Pool, Pool, Pool];
  const said = poolOf([...own, ...asked, ...operands.stated]);
  const [few, all] = [said.slice(0, FEW), poolOf([...said, ...cited])];
  // Whoever shows what a number is made of can be checked by the reader, too.
  const shown = own.length <= FEW / 2 ? [...pairs(asked, said), ...pairs(own, own), ...combined(own, own)] : [];
  if (isMade(value, shown)) return true;
  const isPrecise = digitsOf(value) > 2;
  return [
    pairs(said, all),
    combined(few, few),
    sums(few),
    combined(few, cited),
    products(asked, cited),
    ...(isMoney ? [scaled(all, [2]), shares(all, operands.percents)] : []),
    ...(isPrecise || isMoney || value >= 1_000 ? [scaled(all, CALENDAR)] : []),
  ].some((made) => isRare(value, made));
}

type Pool = readonly number[];

const poolOf = (numbers: Pool): Pool => [...new Set(numbers)].filter((number) => number > 0).slice(0, MAX_OPERANDS);

const isMade = (value: number, made: Pool): boolean =>
  made.some((other) => Math.abs(other - value) <= roundingOf(value));

function isRare(value: number, made: Pool): boolean {
  if (!isMade(value, made)) return false;
  const step = stepOf(value);
  const steps = made.filter((other) => other >= value / 2 && other <= value * 2).map((other) => other / step);
  const like = new Set(steps.filter((other) => Math.abs(other - Math.round(other)) < 1e-6).map(Math.round));
  return like.size <= Math.max(1, (SHARE * 1.5 * value) / step);
}

const precisionOf = (value: number): number => 10 ** -(String(value).split('.')[1]?.length ?? 0);

/** Tolerance: a number with decimals may have been rounded. */
const roundingOf = (value: number): number => (Number.isInteger(value) ? 1e-9 : precisionOf(value) / 2);

/** Without the zeros at either end. */
const digitsOf = (value: number): number => String(value).replace(/\D|^[0.]+|(?<!0)0+$/g, '').length;

/** Returns the unit of the last digit that is not zero, but for numbers as round as 100, which are few. */
function stepOf(value: number): number {
  let step = precisionOf(value);
  while (step >= 1 && value % (step * 10) === 0 && step * 100 <= value) step *= 10;
  return step;
}

const pairs = (some: Pool, others: Pool): number[] =>
  some.flatMap((a) => others.flatMap((b) => (a === b ? [] : [a + b, Math.abs(a - b), a * b, a / b, b / a])));

const scaled = (some: Pool, factors: Pool): number[] =>
  some.flatMap((a) => factors.flatMap((factor) => [a * factor, a / factor]));

/** Returns the sums of any three. */
const sums = (all: Pool): number[] =>
  all.flatMap((a, i) => all.slice(i + 1).flatMap((b, j) => all.slice(i + j + 2).map((c) => a + b + c)));

/** A fee and so much for each; what two adults and three children pay; what is left of one for several. */
function combined(some: Pool, prices: Pool): number[] {
  const made = some.flatMap((a) => prices.map((b) => ({ of: [a, b], value: a * b })));
  const areApart = (one: Pool, other: Pool) => !one.some((factor) => other.includes(factor));
  return made.flatMap(({ of, value }, i) => [
    ...some.map((c) => value + c),
    ...prices.map((c) => Math.abs(value - c)),
    ...made.slice(i + 1).flatMap((other) => (areApart(of, other.of) ? [value + other.value] : [])),
  ]);
}

/** People for months, each at a price. */
const products = (some: Pool, others: Pool): number[] =>
  some.flatMap((a, i) => others.flatMap((b) => some.slice(i + 1, FEW).map((c) => a * b * c)));

/** Per cent of something, what is left of it, and what it comes to. */
const shares = (all: Pool, percents: Pool): number[] =>
  all.flatMap((a) =>
    percents.flatMap((percent) => [percent, 100 - percent, 100 + percent].map((of) => (a * of) / 100)),
  );
