import { permissionDenied } from '@parley/runtime';

const SCOPES = [
  'TICKETFORMS_WRITE',
  'TICKETS_WRITE',
  'EMAILINBOXES_WRITE',
  'EMAILS_WRITE',
  'CHATBOTS_WRITE',
  'API_KEYS_WRITE',
  'ACCOUNT_WRITE',
] as const;

export type ScopeName = (typeof SCOPES)[number];

/** The catalogue of scopes, in its order. */
export const ALL_SCOPES: ScopeName[] = [...SCOPES];

/** A key grants only scopes that it holds. PERMISSION_DENIED names those that it lacks. */
export function checkGrant(asked: readonly ScopeName[], held: readonly string[]): void {
  const missing = missingFrom(held, asked);
  if (missing) throw permissionDenied(`This key can't grant scopes that it does not hold: ${missing}.`);
}

/** A key revokes only keys whose scopes it holds. PERMISSION_DENIED names those that it lacks. */
export function checkRevoke(scopes: readonly ScopeName[], held: readonly string[]): void {
  const missing = missingFrom(held, scopes);
  if (missing) throw permissionDenied(`This key can't revoke a key that holds scopes it lacks: ${missing}.`);
}

const missingFrom = (held: readonly string[], needed: readonly ScopeName[]): string =>
  needed.filter((name) => !held.includes(name)).join(', ');
