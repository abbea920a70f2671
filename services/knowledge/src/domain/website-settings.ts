import type { WebsiteSettings } from '@parley/corpus/model';
import { invalidArgument } from '@parley/runtime';
import { requiredText } from '@parley/runtime/text';

const MAX_PATTERNS = 50;
const MAX_PATTERN = 200;
const MAX_HOURS = 8_760;

/**
 * The path patterns as sent. `pageChooser` says what they mean.
 *
 * @throws AppError `invalid_argument`
 */
export function pathPatterns(field: 'include' | 'exclude', patterns: readonly string[]): string[] {
  if (patterns.length > MAX_PATTERNS) throw invalidArgument(`${field} must have at most ${MAX_PATTERNS} entries.`);
  return patterns.map((pattern, i) => {
    const name = `${field}[${i}]`;
    requiredText(name, pattern, MAX_PATTERN);
    if (!pattern.startsWith('/')) throw invalidArgument(`${name} must begin with /.`);
    return pattern;
  });
}

/** @throws AppError `invalid_argument` */
export function retrainEvery(hours: number): WebsiteSettings['retrain_every'] {
  if (hours >= 1 && hours <= MAX_HOURS) return hours;
  throw invalidArgument('retrain_every must be a whole number of hours from 1 to 8,760.');
}
