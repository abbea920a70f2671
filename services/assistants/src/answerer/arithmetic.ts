/** What a number may have been made of. */
export interface Operands {
  /** Numbers of the same sentence, as far as they are supported. */
  own: readonly number[];
  /** Numbers of the visitor's. */
  asked: readonly number[];
  /** Of the sentences before. */
  stated: readonly number[];
  /** Of the passages that the answer cites. */
  cited: readonly number[];
  /** Per cent, of any of them. */
  percents: readonly number[];
}

/** Days of a week, a month and a year; weeks and months of a year; hours and minutes. */
const CALENDAR = [7, 12, 24, 30, 52, 60, 365];
/** More operands make nearly every number. */
const MAX_OPERANDS = 40;
const MAX_OF_THREE = 8;

/** Share of the numbers like a result that may be results, too: a wrong number passes as often. */
const SHARE = 0.15;
/** The same, where the answer does not say what it is made of. */
const SHARE_UNSAID = 0.08;

/**
 * Whether a step or two of arithmetic make a number of others, and a wrong number would hardly pass: few numbers of its
 * magnitude and precision can be made in the same way.
 *
 * @param isMoney prices are halved and doubled more often than other numbers.
 */
export function isDerivable(value: number, isMoney: boolean, operands: Operands): boolean {
  const [own, asked, cited] = [operands.own, operands.asked, operands.cited].map(poolOf) as [Pool, Pool, Pool];
  const said = poolOf([...own, ...asked, ...operands.stated]);
  const few = said.slice(0, MAX_OF_THREE);
  const all = poolOf([...said, ...cited]);
  const unlikely: [Iterable<number>, number][] = [
    [pairs(said, said), SHARE],
    [pairs(said, cited), SHARE],
    [sums(few), SHARE],
    [sumsOfProducts(few), SHARE],
    [products(asked.slice(0, MAX_OF_THREE), cited, []), SHARE],
    ...(isMoney || value >= 1_000 || digitsOf(value) > 2 ? ([[scaled(all, CALENDAR), SHARE_UNSAID]] as const) : []),
    ...(isMoney
      ? ([
          [scaled(all, [2]), SHARE],
          [shares(all, operands.percents), SHARE],
        ] as const)
      : []),
    ...(digitsOf(value) > 2
      ? ([
          [pairs(cited, cited), SHARE_UNSAID],
          [sumsOfProducts(all.slice(0, 2 * MAX_OF_THREE)), SHARE_UNSAID],
          [products(few, cited, CALENDAR), SHARE_UNSAID],
        ] as const)
      : []),
  ];
  // Whoever shows what a number is made of can be checked by the reader, too.
  const shown = [pairs(asked, said), pairs(own, own), ...(own.length <= 3 ? [sumsOfProducts(own)] : [])];
  return shown.some((made) => isMade(value, made)) || unlikely.some(([made, share]) => isRare(value, made, share));
}

type Pool = readonly number[];

const poolOf = (numbers: Pool): Pool => [...new Set(numbers)].filter((number) => number > 0).slice(0, MAX_OPERANDS);

const isMade = (value: number, made: Iterable<number>): boolean =>
  made[Symbol.iterator]().some((other) => Math.abs(other - value) <= roundingOf(value));

function isRare(value: number, made: Iterable<number>, share: number): boolean {
  const all = [...made];
  if (!isMade(value, all)) return false;
  const step = stepOf(value);
  const steps = all.filter((other) => other >= value / 2 && other <= value * 2).map((other) => other / step);
  const like = new Set(steps.filter((other) => Math.abs(other - Math.round(other)) < 1e-6).map(Math.round));
  return like.size <= Math.max(1, (share * 1.5 * value) / step);
}

/** What has decimals may have been rounded. */
const roundingOf = (value: number): number => (Number.isInteger(value) ? 1e-9 : precisionOf(value) / 2);

const precisionOf = (value: number): number => 10 ** -(String(value).split('.')[1]?.length ?? 0);

/** Without the zeros at either end. */
const digitsOf = (value: number): number => String(value).replace(/\D|^[0.]+|0+$/g, '').length;

/** Of the last digit that is not zero, but for numbers as round as 100, which are few. */
function stepOf(value: number): number {
  let step = precisionOf(value);
  while (step >= 1 && value % (step * 10) === 0 && step * 100 <= value) step *= 10;
  return step;
}

function* pairs(some: Pool, others: Pool): Generator<number> {
  for (const a of some) for (const b of others) if (a !== b) yield* [a + b, Math.abs(a - b), a * b, a / b, b / a];
}

function* scaled(some: Pool, factors: Pool): Generator<number> {
  for (const a of some) for (const factor of factors) yield* [a * factor, a / factor];
}

function* sums(all: Pool): Generator<number> {
  for (const [i, a] of all.entries())
    for (const [j, b] of all.entries().drop(i + 1)) for (const c of all.slice(j + 1)) yield a + b + c;
}

/** Two adults and three children; a fee, and so much for each. */
function* sumsOfProducts(all: Pool): Generator<number> {
  for (const [i, a] of all.entries())
    for (const [j, b] of all.entries().drop(i + 1))
      for (const [k, c] of all.entries()) {
        yield a * b + c;
        if (k > i && k !== j) for (const [l, d] of all.entries().drop(k + 1)) if (l !== j) yield a * b + c * d;
      }
}

/** People for months, each at a price. */
function* products(some: Pool, others: Pool, factors: Pool): Generator<number> {
  for (const [i, a] of some.entries())
    for (const b of others) for (const c of [...some.slice(i + 1), ...factors]) yield a * b * c;
}

/** Per cent of something, what is left of it, and what it comes to. */
function* shares(all: Pool, percents: Pool): Generator<number> {
  for (const a of all)
    for (const percent of percents) yield* [percent, 100 - percent, 100 + percent].map((of) => (a * of) / 100);
}
