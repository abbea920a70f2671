import { invalidArgument } from '@parley/runtime';

/** Addresses that every mail domain needs for itself. */
const RESERVED = new Set(['reply', 'postmaster', 'abuse', 'mailer-daemon', 'noreply']);
const ALIAS = /^[a-z0-9][a-z0-9._-]{1,63}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns an alias in lower case. @throws AppError `invalid_argument` if an inbox can't have it. */
export function checkAlias(alias: string): string {
  const lower = alias.toLowerCase();
  if (!ALIAS.test(lower))
    throw invalidArgument(
      'alias must have 2 to 64 characters: letters, digits, dots, underscores and hyphens, beginning with a letter or digit.',
    );
  if (UUID.test(lower)) throw invalidArgument('alias must not be a UUID.');
  if (RESERVED.has(lower)) throw invalidArgument(`alias must not be ${lower}, which is reserved.`);
  return lower;
}
