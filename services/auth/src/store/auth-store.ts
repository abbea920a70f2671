import { failedPrecondition, notFound } from '@parley/runtime';
import {
  compute,
  type DeletedAccountDoc,
  insertOnce,
  LIVE,
  literal,
  outbox,
  type Page,
  type PageRequest,
  page,
  set,
} from '@parley/runtime/mongo';
import type { Collection, Db } from 'mongodb';
import type { AccountDoc, ApiKeyDoc, NewApiKey } from './model.ts';
import { revocation } from './revocation.ts';
import type { Usage } from './usage.ts';

const LAST_USED_STEP_MS = 60_000;
/** Filter: all accounts, those being deleted included. Bounds an index, so that a count reads no documents. */
const EVERY = { created_at: { $gte: new Date(0) } };

export type AuthStore = ReturnType<typeof authStore>;

export const keyCollection = (db: Db): Collection<ApiKeyDoc> => db.collection<ApiKeyDoc>('api_keys');

export function authStore(db: Db, usage: Usage) {
  const accounts = db.collection<AccountDoc>('accounts');
  const keys = keyCollection(db);
  const deleted = db.collection<DeletedAccountDoc>('deleted_accounts');
  /** Neither revoked nor expired, by the database's clock. */
  const working = {
    ...LIVE,
    $expr: { $or: [{ $eq: ['$expires_at', null] }, { $gt: ['$expires_at', '$$NOW'] }] },
  };
  async function keepKey(account: string, key: NewApiKey): Promise<ApiKeyDoc | undefined> {
    const isOperators = key.created_by === null;
    const kept = await usage.change<{ made?: ApiKeyDoc | undefined }>(
      account,
      isOperators ? {} : { keys: 1 },
      async () => {
        const made = await insertOnce(
          keys,
          { ...key, account, last_used_at: null, deleted_at: null },
          outbox({ case: 'apiKeyCreated', value: {} }),
        );
        return { result: { made }, counted: made ? { keys: 1 } : {} };
      },
      async () => (await keys.findOne({ _id: key._id, account })) && {},
    );
    return kept.made;
  }
  const { endIfCutOff, ...revoking } = revocation(keys, usage);

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

    /**
     * Stores a key unless its id is taken; undefined if it is.
     *
     * @throws QuotaExceeded for a key that another one created
     */
    keepKey,

    /**
     * Creates a key. If the same operation created it before, replaces its hash, so that the secret in a lost answer stops
     * working; of concurrent attempts the last write wins. NOT_FOUND if the key was revoked meanwhile; PERMISSION_DENIED if
     * one of its ancestors was, or the account has as many keys as it may have.
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
