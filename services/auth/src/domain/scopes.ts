import { Scope } from '@parley/proto/auth/v1/auth_service_pb';
import { invalidArgument, permissionDenied } from '@parley/runtime';

export type ScopeName = Exclude<keyof typeof Scope, 'UNSPECIFIED'>;

export const ALL_SCOPES = Object.keys(Scope).filter((name) => name !== 'UNSPECIFIED') as ScopeName[];

/** The names of the scopes asked for, each once, in the catalogue's order. INVALID_ARGUMENT for one that is none. */
export function scopeNames(asked: readonly Scope[]): ScopeName[] {
  const names = asked.map((scope) => ALL_SCOPES.find((name) => Scope[name] === scope));
  if (names.includes(undefined)) throw invalidArgument('scopes names a scope that does not exist.');
  return ALL_SCOPES.filter((name) => names.includes(name));
}

/** A key grants only what it holds itself: PERMISSION_DENIED naming what it lacks. */
export function checkGrant(asked: readonly ScopeName[], held: readonly string[]): void {
  const missing = asked.filter((name) => !held.includes(name));
  if (missing.length > 0) throw permissionDenied(`This key can't grant what it does not hold: ${missing.join(', ')}.`);
}
