import { invalidArgument } from '@parley/runtime';

/** The value at a number of the contract's enum, where 0 is unspecified. @throws AppError `invalid_argument`. */
export function valueAt<T extends string>(field: string, values: readonly T[], number: number): T | undefined {
  if (number === 0) return undefined;
  const value = values[number - 1];
  if (value === undefined) throw invalidArgument(`${field} must be one of ${values.join(', ')}.`);
  return value;
}

/** The number of a value in the contract's enum; 0 for none. */
export const numberOf = (values: readonly string[], value: string | null): number =>
  value === null ? 0 : values.indexOf(value) + 1;
