import type { Collection, Db, Document, Filter } from 'mongodb';
import { invalidArgument } from '../errors.ts';
import { isUuid } from '../ids.ts';
import type { Log } from '../log.ts';
import { createLoop, type Loop } from '../loop.ts';
import { isDuplicate } from './errors.ts';
import { fromNow, passed } from './lease.ts';
import { compute, deletePart } from './write.ts';

/** Says that an account was deleted. Nothing else about the account stays in the database. */
export interface DeletedAccountDoc {
  /** The account's id. */
  _id: string;
  deleted_at: Date;
  /** When to look for stragglers next. */
  due?: Date;
}

/** The index that the tombstones of deleted accounts need. */
export const DELETED_ACCOUNT_INDEX = { key: { due: 1 } } as const;

/** Deletes at most `limit` pieces of an account's data. Returns how many it found; fewer than the limit: none are left. */
export type ErasePart = (account: string, limit: number) => Promise<number>;

/** Erases accounts from one service's stores. */
export interface AccountEraser {
  /** Marks the account as deleted, once. From then on the sweeper erases whatever is still written for it. */
  markDeleted(account: string): Promise<void>;
  isDeleted(account: string): Promise<boolean>;
  /** Erases some of its data; `done` if none was left. Bounded in time, so that a call can wait for it. */
  erase(account: string): Promise<{ deleted: number; done: boolean }>;
  tombstones: Collection<DeletedAccountDoc>;
}

/** Pieces that are deleted in one call. */
const AT_ONCE = 1_000;

/** @param parts in the order in which they are deleted: parents first, so that writers of their children notice. */
export function accountEraser(db: Db, parts: readonly ErasePart[]): AccountEraser {
  const tombstones = db.collection<DeletedAccountDoc>('deleted_accounts');
  return {
    tombstones,
    async markDeleted(account) {
      // The id becomes a folder of the object store.
      if (!isUuid(account)) throw invalidArgument('account_id must be a UUID.');
      const first = {
        deleted_at: { $ifNull: ['$deleted_at', '$$NOW'] },
        due: { $ifNull: ['$due', fromNow(FIRST_SWEEP_MS)] },
      };
      await tombstones.updateOne({ _id: account }, [compute(first)], { upsert: true }).catch((error) => {
        if (!isDuplicate(error)) throw error;
      });
    },
    isDeleted: async (account) => (await tombstones.findOne({ _id: account }, { projection: { _id: 1 } })) !== null,
    async erase(account) {
      let deleted = 0;
      for (const part of parts) {
        const limit = AT_ONCE - deleted;
        const found = await part(account, limit);
        deleted += found;
        if (found === limit) return { deleted, done: false };
      }
      return { deleted, done: true };
    },
  };
}

/** Erases the account's documents of a collection, which needs an index that begins with `account`. */
export const eraseFrom =
  <T extends Document & { account: string }>(collection: Collection<T>): ErasePart =>
  (account, limit) =>
    deletePart(collection, { account } as Filter<T>, limit);

const REST_MS = 2_000;
const FIRST_SWEEP_MS = 5_000;
const DAY_MS = 24 * 3600_000;

/**
 * Erases what is written for an account after its deletion: by requests that had begun before its keys stopped, by workers
 * that were suspended. No writer has to know about deleted accounts, and no limit of a request's time matters. Sweeps a few
 * seconds after the deletion, and again each time the account has been deleted half as long again, for a day. Then removes
 * the tombstone. Every replica may run it.
 *
 * @param options.keep whether the tombstone of an account stays for good.
 * @param options.forget drops what this process has in memory of an account; called often.
 */
export function createAccountSweeper(options: {
  eraser: AccountEraser;
  log: Log;
  keep?(account: string): boolean;
  forget?(account: string): void;
}): Loop {
  const { eraser, log, keep = () => false, forget } = options;
  const { tombstones } = eraser;
  const age = { $subtract: ['$$NOW', '$deleted_at'] };
  const isOld = { $expr: { $gte: [age, DAY_MS] } };

  async function round(signal: AbortSignal): Promise<boolean> {
    if (forget) for await (const { _id } of tombstones.find({ due: { $exists: true } })) forget(_id);
    const next = { $add: ['$$NOW', { $max: [{ $divide: [age, 2] }, FIRST_SWEEP_MS / 2] }] };
    const due = await tombstones.findOneAndUpdate({ due: { $exists: true }, ...passed('due') }, [
      compute({ due: next }),
    ]);
    if (!due) return false;
    const account = due._id;
    let deleted = 0;
    for (let done = false; !done; ) {
      signal.throwIfAborted();
      const erased = await eraser.erase(account);
      deleted += erased.deleted;
      ({ done } = erased);
    }
    if (deleted > 0) log.info({ account, deleted }, 'erased data of a deleted account');
    if (keep(account)) await tombstones.updateOne({ _id: account, ...isOld }, { $unset: { due: 1 } });
    else await tombstones.deleteOne({ _id: account, ...isOld });
    return true;
  }

  return createLoop({ name: 'sweeper of deleted accounts', restMs: REST_MS, log, round });
}
