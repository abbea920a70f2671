import { type ApiKey, Scope } from '@parley/proto/auth/v1/auth_service_pb';

export type ScopeName = Exclude<keyof typeof Scope, 'UNSPECIFIED'>;

/** All scopes, in the contract's order. */
export const SCOPE_NAMES = Object.keys(Scope).filter((name) => name !== 'UNSPECIFIED') as ScopeName[];

/** The scopes of a key by name; a scope that this version does not know grants nothing. */
export const scopeNames = ({ scopes }: Pick<ApiKey, 'scopes'>): ScopeName[] =>
  SCOPE_NAMES.filter((name) => scopes.includes(Scope[name]));
