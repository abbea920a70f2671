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
  refuse,
  set,
} from '@parley/runtime/mongo';
import type { Db } from 'mongodb';
import type { ScopeName } from '../domain/scopes.ts';

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
  /** Id of the key that created it, kept after that is revoked; null or absent if none did, or none was recorded. */
  created_by?: string | null;
  /** A revoked key is a tombstone: its hash stays taken. */
  deleted_at: Date | null;
  /** The operation that revoked it. */
  revoke_op?: string;
}

export type NewApiKey = Pick<ApiKeyDoc, '_id' | 'name' | 'scopes' | 'hash' | 'expires_at' | 'created_by'>;

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
  async function keyToRevoke(account: string, id: string, operation: string): Promise<ApiKeyDoc> {
    const key = await keys.findOne({ _id: id, account, $or: [LIVE, { revoke_op: operation }] });
    return key ?? refuse(keys, { _id: id }, 'API key');
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
     * working; of concurrent attempts the last write wins. NOT_FOUND if the key was revoked meanwhile.
     */
    async createKey(account: string, key: NewApiKey): Promise<ApiKeyDoc> {
      const made = await keepKey(account, key);
      if (made) return made;
      const again = { _id: key._id, account, ...LIVE };
      const replaced = await keys.findOneAndUpdate(again, [set({ hash: key.hash })], { returnDocument: 'after' });
      if (!replaced) throw notFound('The API key that this operation created has been revoked.');
      return replaced;
    },

    /** The account's key, unless it is revoked or expired. */
    liveKey: (account: string, id: string): Promise<ApiKeyDoc | null> => keys.findOne({ _id: id, account, ...working }),

    /** The keys that created these, by id, including revoked ones. */
    async makersOf(account: string, made: readonly ApiKeyDoc[]): Promise<Map<string, ApiKeyDoc>> {
      const ids = new Set(made.flatMap(({ created_by }) => created_by ?? []));
      const makers = ids.size > 0 ? await keys.find({ _id: { $in: [...ids] }, account }).toArray() : [];
      return new Map(makers.map((maker) => [maker._id, maker]));
    },

    listKeys: (account: string, request: PageRequest): Promise<Page<ApiKeyDoc>> =>
      page(keys, { account, ...LIVE }, request),

    /**
     * The key, live or revoked by this operation. NOT_FOUND or PERMISSION_DENIED if the account has no such key; NOT_FOUND
     * if another operation revoked it.
     */
    keyToRevoke,

    /** Idempotent by operation. NOT_FOUND if another operation revoked it first. */
    async revokeKey(account: string, id: string, operation: string): Promise<void> {
      const revocable = { _id: id, account, ...LIVE };
      const revoked = [compute({ deleted_at: '$$NOW' }), set({ revoke_op: operation })];
      const { matchedCount } = await keys.updateOne(revocable, revoked);
      if (matchedCount === 0) await keyToRevoke(account, id, operation);
    },

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
