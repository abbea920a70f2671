import { invalidArgument } from '@parley/runtime';

const MAX_IDS = 1_000;

/** @throws AppError `invalid_argument` that names the field, where there are more than 1,000. */
export function checkIds(field: string, ids: readonly string[]): readonly string[] {
  if (ids.length > MAX_IDS) throw invalidArgument(`${field} must be at most 1,000 ids.`);
  return ids;
}
