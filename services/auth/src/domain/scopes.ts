import { invalidArgument, permissionDenied } from '@parley/runtime';

const SCOPES = [
  'TICKETFORMS_WRITE',
  'TICKETS_WRITE',
  'EMAILINBOXES_WRITE',
  'EMAILS_WRITE',
  'CHATBOTS_WRITE',
  'API_KEYS_WRITE',
  'ACCOUNT_WRITE',
] as const;

/** Scopes that only restricted keys need: every other key has them. */
const RESTRICTED_SCOPES = [
  'KNOWLEDGE_READ',
  'KNOWLEDGE_WRITE',
  'CHATS_READ',
  'CHATS_REPLY',
  'TICKETS_READ',
  'EMAILS_READ',
] as const;

export type ScopeName = (typeof SCOPES)[number] | (typeof RESTRICTED_SCOPES)[number];

/** The scopes of a key that may do everything, in the catalogue's order. */
export const ALL_SCOPES: ScopeName[] = [...SCOPES];

/** Every scope that there is, in its order. */
export const CATALOGUE: readonly ScopeName[] = [...SCOPES, ...RESTRICTED_SCOPES];

/** The permissions of a key. */
export interface Grant {
  scopes: readonly string[];
  /** It may do only what its scopes say. */
  restricted: boolean;
}

/**
 * A scope that only restricts would be misread on a key that is not restricted, as if that key could do no more.
 *
 * @throws AppError `invalid_argument`
 */
export function checkRestriction({ scopes, restricted }: Grant): void {
  const idle = restricted ? [] : RESTRICTED_SCOPES.filter((name) => scopes.includes(name));
  if (idle.length > 0)
    throw invalidArgument(
      `scopes may contain ${idle.join(', ')} only with restricted: true. Other keys need no such scope.`,
    );
}

/** A key grants only what it may do itself. PERMISSION_DENIED names the scopes that it lacks. */
export function checkGrant(asked: Grant, held: Grant): void {
  if (held.restricted && !asked.restricted) throw permissionDenied('A restricted key can create only restricted keys.');
  const missing = missingFrom(held, asked);
  if (missing) throw permissionDenied(`This key can't grant scopes that it does not hold: ${missing}.`);
}

/** A key revokes only keys that may do no more than itself. PERMISSION_DENIED names the scopes that it lacks. */
export function checkRevoke(revoked: Grant, held: Grant): void {
  if (held.restricted && !revoked.restricted)
    throw permissionDenied('A restricted key can revoke only restricted keys.');
  const missing = missingFrom(held, revoked);
  if (missing) throw permissionDenied(`This key can't revoke a key that holds scopes it lacks: ${missing}.`);
}

function missingFrom(held: Grant, needed: Grant): string {
  const all = held.restricted ? held.scopes : [...held.scopes, ...RESTRICTED_SCOPES];
  return needed.scopes.filter((name) => !all.includes(name)).join(', ');
}
