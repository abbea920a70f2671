import { invalidArgument } from '@parley/runtime';
import type { z } from 'zod';

/** Returns the parsed value; throws INVALID_ARGUMENT with a sentence that names the field. */
export function validate<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value, { error: complaint });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw invalidArgument(`${nameOf(issue!.path)} ${issue!.message}.`);
}

/** `scopes[0]`, `answers[2].value`. */
const nameOf = (path: PropertyKey[]): string =>
  path.map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i ? '.' : ''}${String(part)}`)).join('') ||
  'The body';

/** Returns what is wrong with a field, to follow its name; a schema's own message takes precedence. */
function complaint(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined || issue.input === null ? 'is required' : `must be ${kind(issue.expected)}`;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    case 'too_big':
      return `must have at most ${issue.maximum} entries`;
    case 'unrecognized_keys':
      return `must not have the field ${shown(issue.keys[0]!)}`;
    default:
      return 'is not valid';
  }
}

const SHOWN_NAME = 100;

const shown = (name: string): string => (name.length > SHOWN_NAME ? `${name.slice(0, SHOWN_NAME)}…` : name);

const kind = (expected: string): string => (/^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`);
