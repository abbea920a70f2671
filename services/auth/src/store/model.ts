import type { Owned, WithOutbox } from '@parley/runtime/mongo';
import type { ScopeName } from '../domain/scopes.ts';

export interface AccountDoc {
  _id: string;
  name: string;
  created_at: Date;
  /** Set while the account is being deleted; then the document goes, too. */
  deleted_at: Date | null;
}

export interface ApiKeyDoc extends Owned, WithOutbox {
  _id: string;
  account: string;
  name: string;
  scopes: ScopeName[];
  /** HMAC of the key under the pepper, in hex. */
  hash: string;
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
  /** It may do only what its scopes say. */
  restricted: boolean;
  /** The key that created it, as it was then; null if an operator did. */
  created_by: { id: string; name: string } | null;
  /** Ids of the keys whose revocation also revokes this one: the one that created it, before it the one that created that. */
  ancestors: string[];
  /** A revoked key is a tombstone for a while: its hash stays taken. */
  deleted_at: Date | null;
  /** The operation that revoked it. */
  revoke_op?: string;
  /** True if the keys that a revoked key created were revoked with it. */
  revokes_created?: boolean;
  /** True until the sweeper has dealt with the keys that a revoked key created. */
  unfinished?: true;
  /** When the tombstone goes; null: never. */
  purge_at?: Date | null;
}

export type NewApiKey = Pick<
  ApiKeyDoc,
  '_id' | 'name' | 'scopes' | 'restricted' | 'hash' | 'expires_at' | 'created_by' | 'ancestors'
>;

/** Fields of every key that an operator creates. */
export const OPERATORS_KEY = { restricted: false, created_by: null, ancestors: [] as string[] };
