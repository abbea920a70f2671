import { type ApiKey, Scope } from '@parley/proto/auth/v1/auth_service_pb';

export type ScopeName = Exclude<keyof typeof Scope, 'UNSPECIFIED'>;

/** All scopes, in the contract's order; then those that only restricted keys need. */
export const SCOPE_NAMES = Object.keys(Scope).filter((name) => name !== 'UNSPECIFIED') as ScopeName[];

/** The scopes of a key by name; a scope that this version does not know grants nothing. */
export const scopeNames = ({ scopes }: Pick<ApiKey, 'scopes'>): ScopeName[] =>
  SCOPE_NAMES.filter((name) => scopes.includes(Scope[name]));

/** Any one of these scopes is sufficient. */
export type OneOf = readonly [ScopeName, ...ScopeName[]];

/** A route's demands on a key. Every route for keys states them, or it would not compile. */
export type Needs =
  /** Every key needs the scope. */
  | { scope: ScopeName; restricted?: never }
  /** A restricted key needs one of these scopes, or none at all. */
  | { scope: 'any key'; restricted: OneOf | 'no scope' };

export const READS_KNOWLEDGE: OneOf = ['KNOWLEDGE_READ', 'KNOWLEDGE_WRITE'];
export const WRITES_KNOWLEDGE: OneOf = ['KNOWLEDGE_WRITE'];

interface Holder {
  scopes: readonly ScopeName[];
  restricted: boolean;
}

/** A route's demands on a key; none if it is not for keys. */
export type Needed = Partial<Pick<Needs, 'scope' | 'restricted'>>;

/** The scope that every key needs, if there is one. */
export const scopeOf = ({ scope }: Needed): ScopeName | undefined => (scope === 'any key' ? undefined : scope);

/** The scopes of which a restricted key needs one. Empty where it needs none, or no key is sufficient. */
export const restrictedTo = (needs: Needed): readonly ScopeName[] => {
  const scope = scopeOf(needs);
  if (scope) return [scope];
  return needs.restricted === 'no scope' ? [] : (needs.restricted ?? []);
};

/** The scopes of which the key would need one; undefined if it may use the route. A route that does not say is refused. */
export function lacking(needs: Needed, key: Holder): readonly ScopeName[] | undefined {
  if (needs.scope === 'any key' && (!key.restricted || needs.restricted === 'no scope')) return undefined;
  const sufficient = restrictedTo(needs);
  return sufficient.some((name) => key.scopes.includes(name)) ? undefined : sufficient;
}
