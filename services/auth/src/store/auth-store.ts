import { failedPrecondition, notFound } from '@parley/runtime';
import {
  compute,
  type DeletedAccountDoc,
  insertOnce,
  LIVE,
  literal,
  type Owned,
  type Page,
  type PageRequest,
  page,
  set,
} from '@parley/runtime/mongo';
import type { Db } from 'mongodb';
import type { ScopeName } from '../domain/scopes.ts';
import { revocation } from './revocation.ts';

export interface AccountDoc {
  _id: string;
  name: string;
  created_at: Date;
  /** Set while the account is being deleted; then the document goes, too. */
  deleted_at: Date | null;
}

export interface ApiKeyDoc extends Owned {
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
  /** Of a revoked key: whether what it created was revoked with it. */
  revokes_created?: boolean;
  /** Of a revoked key, until the sweeper has made sure of what it created. */
  unfinished?: true;
  /** When the tombstone goes; null: never. */
  purge_at?: Date | null;
}

export type NewApiKey = Pick<
  ApiKeyDoc,
  '_id' | 'name' | 'scopes' | 'restricted' | 'hash' | 'expires_at' | 'created_by' | 'ancestors'
>;

/** What is the same for all keys that operators create. */
export const OPERATORS_KEY = { restricted: false, created_by: null, ancestors: [] as string[] };

const LAST_USED_STEP_MS = 60_000;
/** Filter: all accounts, those being deleted included. Bounds an index, so that a count reads no documents. */
const EVERY = { created_at: { $gte: new Date(0) } };

export type AuthStore = ReturnType<typeof authStore>;

export function authStore(db: Db) {
  const accounts = db.collection<AccountDoc>('accounts');
  const keys = db.collection<ApiKeyDoc>('api_keys');
  const deleted = db.collection<DeletedAccountDoc>('deleted_accounts');
  /** Neither revoked nor expired, by the database's clock. */
  const working = {
    ...LIVE,
    $expr: { $or: [{ $eq: ['$expires_at', null] }, { $gt: ['$expires_at', '$$NOW'] }] },
  };
  const keepKey = (account: string, key: NewApiKey): Promise<ApiKeyDoc | undefined> =>
    insertOnce(keys, { ...key, account, last_used_at: null, deleted_at: null });
  const { endIfCutOff, ...revoking } = revocation(keys);

  async function replaceHash(account: string, { _id, hash }: NewApiKey): Promise<ApiKeyDoc> {
    const live = { _id, account, ...LIVE };
    const replaced = await keys.findOneAndUpdate(live, [set({ hash })], { returnDocument: 'after' });
    if (!replaced) throw notFound('The API key that this operation created has been revoked.');
    return replaced;
  }

  return {
    /** Creates an account. Idempotent by id. FAILED_PRECONDITION if it was deleted: sweepers still erase what it gets. */
    async createAccount(id: string, name: string): Promise<AccountDoc> {
      const made = await insertOnce(accounts, { _id: id, name, deleted_at: null });
      const wasDeleted = (await deleted.findOne({ _id: id })) !== null;
      if (wasDeleted && made) await accounts.deleteOne({ _id: id });
      const account = await accounts.findOne({ _id: id, ...LIVE });
      if (wasDeleted || !account) throw failedPrecondition('The account that this operation created has been deleted.');
      return account;
    },

    /** Operator only. */
    listAccounts: (request: PageRequest): Promise<Page<AccountDoc>> => page(accounts, EVERY, request),

    account: (account: string): Promise<AccountDoc | null> => accounts.findOne({ _id: account, ...LIVE }),

    /** Stores a key unless its id is taken; undefined if it is. */
    keepKey,

    /**
     * Creates a key. If the same operation created it before, replaces its hash, so that the secret in a lost answer stops
     * working; of concurrent attempts the last write wins. NOT_FOUND if the key was revoked meanwhile; PERMISSION_DENIED if
     * one of its ancestors was.
     */
    async createKey(account: string, key: NewApiKey): Promise<ApiKeyDoc> {
      const stored = (await keepKey(account, key)) ?? (await replaceHash(account, key));
      await endIfCutOff(account, stored);
      return stored;
    },

    /** The account's key, unless it has expired or was revoked, other than by this operation. */
    callingKey: (account: string, id: string, operation: string): Promise<ApiKeyDoc | null> =>
      keys.findOne({ _id: id, account, $or: [working, { revoke_op: operation }] }),

    listKeys: (account: string, request: PageRequest): Promise<Page<ApiKeyDoc>> =>
      page(keys, { account, ...LIVE }, request),

    ...revoking,

    /** The live key with this hash. Takes no account: this is how a request gets one. */
    keyByHash: (hash: string): Promise<ApiKeyDoc | null> => keys.findOne({ hash, ...working }),

    /** Records that a key was used, to the minute, so that a busy key costs one write a minute. */
    async touchKey(account: string, id: string): Promise<void> {
      const stale = {
        $lt: [{ $ifNull: ['$last_used_at', literal(new Date(0))] }, { $subtract: ['$$NOW', LAST_USED_STEP_MS] }],
      };
      await keys.updateOne({ _id: id, account, $expr: stale }, [compute({ last_used_at: '$$NOW' })]);
    },
  };
}
