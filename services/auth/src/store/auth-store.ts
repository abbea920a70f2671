import {
  compute,
  insertOnce,
  LIVE,
  literal,
  type Owned,
  ownedBy,
  type Page,
  type PageRequest,
  page,
} from '@parley/runtime';
import type { Db } from 'mongodb';
import type { ScopeName } from '../domain/scopes.ts';

export interface AccountDoc {
  _id: string;
  name: string;
  created_at: Date;
  deleted_at: Date | null;
}

export interface ApiKeyDoc extends Owned {
  name: string;
  scopes: ScopeName[];
  /** HMAC of the key under the pepper, hex. */
  hash: string;
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
  /** A revoked key is a tombstone: its hash stays taken. */
  deleted_at: Date | null;
}

export type NewApiKey = Pick<ApiKeyDoc, '_id' | 'name' | 'scopes' | 'hash' | 'expires_at'>;

const LAST_USED_STEP_MS = 60_000;

export type AuthStore = ReturnType<typeof authStore>;

export function authStore(db: Db) {
  const accounts = db.collection<AccountDoc>('accounts');
  const keys = db.collection<ApiKeyDoc>('api_keys');

  return {
    /** Makes an account, or finds the one that the same operation made. */
    async createAccount(id: string, name: string): Promise<AccountDoc> {
      await insertOnce(accounts, { _id: id, name, deleted_at: null });
      return (await accounts.findOne({ _id: id }))!;
    },

    /** Operator only. */
    listAccounts: (request: PageRequest): Promise<Page<AccountDoc>> => page(accounts, LIVE, request),

    account: (account: string): Promise<AccountDoc | null> => accounts.findOne({ _id: account, ...LIVE }),

    /** Makes a key, or finds the one that the same operation made. */
    async createKey(account: string, key: NewApiKey): Promise<ApiKeyDoc> {
      await insertOnce(keys, { ...key, account, last_used_at: null, deleted_at: null });
      return (await keys.findOne({ _id: key._id, account }))!;
    },

    listKeys: (account: string, request: PageRequest): Promise<Page<ApiKeyDoc>> =>
      page(keys, { account, ...LIVE }, request),

    /** Gives the key as it was before; NOT_FOUND or PERMISSION_DENIED where the account has no such key. */
    async revokeKey(account: string, id: string): Promise<ApiKeyDoc> {
      const key = await ownedBy(keys, account, { _id: id }, 'API key');
      await keys.updateOne({ _id: id, account, ...LIVE }, [compute({ deleted_at: '$$NOW' })]);
      return key;
    },

    /** Without an account: this is how a request gets one. Neither revoked nor expired, by the database's clock. */
    keyByHash: (hash: string): Promise<ApiKeyDoc | null> =>
      keys.findOne({
        hash,
        ...LIVE,
        $expr: { $or: [{ $eq: ['$expires_at', null] }, { $gt: ['$expires_at', '$$NOW'] }] },
      }),

    /** Remembers that a key was used, to the minute, so that a busy key costs one write a minute. */
    async touchKey(account: string, id: string): Promise<void> {
      const stale = {
        $lt: [{ $ifNull: ['$last_used_at', literal(new Date(0))] }, { $subtract: ['$$NOW', LAST_USED_STEP_MS] }],
      };
      await keys.updateOne({ _id: id, account, $expr: stale }, [compute({ last_used_at: '$$NOW' })]);
    },
  };
}
