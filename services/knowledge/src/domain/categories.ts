import { invalidArgument } from '@parley/runtime';
import { requiredText } from '@parley/runtime/text';

const MAX_CATEGORIES = 20;
const MAX_NAME = 64;

/** The names in the given order, without duplicates. @throws AppError `invalid_argument` */
export function distinctCategories(names: readonly string[]): string[] {
  const categories = [...new Set(names)];
  if (categories.length > MAX_CATEGORIES)
    throw invalidArgument(`categories must have at most ${MAX_CATEGORIES} different names.`);
  return categories.map((name) => requiredText('categories', name, MAX_NAME));
}
