import { permissionDenied } from '@parley/runtime';
import { compute, fromNow, LIVE, outbox, refuse, set } from '@parley/runtime/mongo';
import type { Collection, UpdateResult } from 'mongodb';
import type { ApiKeyDoc } from './model.ts';
import type { Usage } from './usage.ts';

/** Longer than any retry of what made or revoked the key: an Idempotency-Key counts for a day. */
const KEEP_MS = 7 * 24 * 3600_000;
const MAX_LISTED = 1_000;

/** Each key has an event of its own. */
const revoked = () => [
  compute({ deleted_at: '$$NOW' }),
  ...outbox({ case: 'apiKeyRevoked', value: {} }, { many: true }),
];
const purged = compute({ purge_at: fromNow(KEEP_MS) });
/** Operators may repeat the operation that created a key at any time, so its tombstone stays. */
const purgedUnlessOperators = compute({
  purge_at: { $cond: [{ $eq: [{ $ifNull: ['$created_by', null] }, null] }, null, fromNow(KEEP_MS)] },
});

/** Revocation in two steps: one write ends the key; `finish` ends, or lets go, the keys that it created. */
export function revocation(keys: Collection<ApiKeyDoc>, usage: Usage) {
  /** Ends keys with a write, and counts those that have ended. */
  const end = (account: string, write: () => Promise<UpdateResult>): Promise<void> =>
    usage.change(account, {}, async () => {
      const { modifiedCount } = await write();
      return { result: undefined, counted: { keys: -modifiedCount } };
    });

  async function keyToRevoke(account: string, id: string, operation: string): Promise<ApiKeyDoc> {
    const key = await keys.findOne({ _id: id, account, $or: [LIVE, { revoke_op: operation }] });
    return key ?? refuse(keys, { _id: id }, 'API key');
  }

  /** Idempotent. */
  async function finish({ _id, account, revokes_created, revoke_op }: ApiKeyDoc): Promise<void> {
    const created = { account, ancestors: _id, ...LIVE };
    const revokedWith = [...revoked(), purged, set({ revoke_op })];
    if (revokes_created) await end(account, () => keys.updateMany(created, revokedWith));
    else await keys.updateMany(created, { $pull: { ancestors: _id } });
  }

  return {
    /**
     * The key, live or revoked by this operation. NOT_FOUND or PERMISSION_DENIED if the account has no such key; NOT_FOUND
     * if another operation revoked it.
     */
    keyToRevoke,

    /**
     * Revokes a key, and the keys that it created, and theirs, unless `keepCreated`. Returns those, newest first, at most
     * 1,000. Idempotent by operation. NOT_FOUND if another operation revoked the key first.
     */
    async revokeKey(account: string, id: string, operation: string, keepCreated: boolean): Promise<ApiKeyDoc[]> {
      const by = set({ revoke_op: operation, revokes_created: !keepCreated, unfinished: true });
      await end(account, () => keys.updateOne({ _id: id, account, ...LIVE }, [...revoked(), by]));
      await finish(await keyToRevoke(account, id, operation));
      const created = { account, ancestors: id, revoke_op: operation };
      return keys.find(created).sort({ created_at: -1, _id: -1 }).limit(MAX_LISTED).toArray();
    },

    /**
     * For a key that was just stored: if one of its ancestors was revoked together with what it created, perhaps before this
     * key could be found, it ends, too.
     *
     * @throws AppError `permission_denied` if it does
     */
    async endIfCutOff(account: string, { _id, ancestors }: Pick<ApiKeyDoc, '_id' | 'ancestors'>): Promise<void> {
      if (!(await keys.findOne({ _id: { $in: ancestors }, account, revokes_created: true }))) return;
      await end(account, () => keys.updateOne({ _id, account, ...LIVE }, [...revoked(), purged]));
      throw permissionDenied('This API key was revoked, so it cannot create others.');
    },

    /** Finishes what a process that died left undone. For the sweeper, across accounts. Returns whether there was any. */
    async finishOne(): Promise<boolean> {
      const key = await keys.findOne({ unfinished: true });
      if (!key) return false;
      await finish(key);
      await keys.updateOne({ _id: key._id }, [purgedUnlessOperators, { $unset: 'unfinished' }]);
      return true;
    },
  };
}
