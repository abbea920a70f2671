import { invalidArgument } from '@parley/runtime';

const MAX_IDS = 1_000;

/** @throws AppError `invalid_argument` naming the field if there are more than 1,000 ids. */
export function checkIds(field: string, ids: readonly string[]): readonly string[] {
  if (ids.length > MAX_IDS) throw invalidArgument(`${field} must have at most 1,000 ids.`);
  return ids;
}
