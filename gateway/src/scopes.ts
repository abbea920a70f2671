import { type ApiKey, Scope } from '@parley/proto/auth/v1/auth_service_pb';

export type ScopeName = Exclude<keyof typeof Scope, 'UNSPECIFIED'>;

/** All scopes, in the contract's order; then those that only restricted keys need. */
export const SCOPE_NAMES = Object.keys(Scope).filter((name) => name !== 'UNSPECIFIED') as ScopeName[];

/** The scopes of a key by name; a scope that this version does not know grants nothing. */
export const scopeNames = ({ scopes }: Pick<ApiKey, 'scopes'>): ScopeName[] =>
  SCOPE_NAMES.filter((name) => scopes.includes(Scope[name]));

/** Any one of these scopes is sufficient. */
export type OneOf = readonly [ScopeName, ...ScopeName[]];

/** What a route needs of a key. Every route for keys says it, or it would not compile. */
export type Needs =
  /** Every key needs the scope. */
  | { scope: ScopeName; restricted?: never }
  /** Any key is sufficient, but a restricted one needs one of these scopes, or none at all. */
  | { scope?: never; restricted: OneOf | 'no scope' };

export const READS_KNOWLEDGE: OneOf = ['KNOWLEDGE_READ', 'KNOWLEDGE_WRITE'];
export const WRITES_KNOWLEDGE: OneOf = ['KNOWLEDGE_WRITE'];

interface Holder {
  scopes: readonly ScopeName[];
  restricted: boolean;
}

/** The scopes of which the key would need one; undefined if it may use the route. A route that does not say is refused. */
export function lacking(
  { scope, restricted = [] as never }: { scope?: ScopeName; restricted?: OneOf | 'no scope' },
  key: Holder,
): readonly ScopeName[] | undefined {
  if (!scope && (!key.restricted || restricted === 'no scope')) return undefined;
  const sufficient = scope ? [scope] : (restricted as OneOf);
  return sufficient.some((name) => key.scopes.includes(name)) ? undefined : sufficient;
}
