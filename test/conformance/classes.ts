import { idsOf, methodsOf, type Operation } from './operations.ts';

/**
 * True where tables are crossed with every operation: on real servers and on deployments, and with CONFORMANCE=whole. In this
 * process one operation of each class stands for the others, because they share its code.
 */
const { PARLEY_STACK, GATEWAY_URL, CONFORMANCE } = process.env;
export const isWhole = Boolean(PARLEY_STACK || GATEWAY_URL || CONFORMANCE === 'whole');

/** All rows where tables are crossed with every operation; otherwise the last of each class. */
export const eachClass = <T>(rows: readonly T[], classOf: (row: T) => string): readonly T[] =>
  isWhole ? rows : [...new Map(rows.map((row) => [classOf(row), row])).values()];

/** Returns how the gateway receives an operation: whom it lets in, how many ids it checks, and what kind of body it reads. */
export const classOf = ({ scope, path, body, file, paginated }: Operation): string =>
  [Boolean(scope), idsOf(path).length, Boolean(body), Boolean(file), Boolean(paginated)].join();

/** Paths that allow the same methods. */
export const methodsClass = (path: string): string => methodsOf(path).sort().join();
