import { invalidArgument } from '@parley/runtime';
import type { z } from 'zod';

/** The value as the schema has it; else INVALID_ARGUMENT with a sentence that names the field. */
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

/** What is wrong with a field, to follow its name; schemas' own messages come before these. */
function complaint(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined || issue.input === null ? 'is required' : `must be ${kind(issue.expected)}`;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    case 'too_big':
      return `must have at most ${issue.maximum} entries`;
    default:
      return 'is not valid';
  }
}

const kind = (expected: string): string => (/^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`);
