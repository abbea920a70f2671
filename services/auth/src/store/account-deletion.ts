import { failedPrecondition, notFound } from '@parley/runtime';
import {
  type AccountEraser,
  accountEraser,
  compute,
  type DeletedAccountDoc,
  eraseFrom,
  LIVE,
  type Page,
  type PageRequest,
  page,
} from '@parley/runtime/mongo';
import type { Db } from 'mongodb';
import { keyCollection } from './auth-store.ts';
import type { AccountDoc } from './model.ts';
import type { PersonaDoc } from './personas.ts';
import { usageStore } from './usage.ts';

const DAY_MS = 24 * 3600_000;
const LATEST_FIRST = { fields: ['deleted_at', '_id'], direction: -1 } as const;

export type AccountDeletion = ReturnType<typeof accountDeletion>;

/**
 * The end of accounts. A deleted account keeps its document, with its name, until its data is gone from every service; then
 * only a tombstone is left. All of this is for operators.
 */
export function accountDeletion(db: Db) {
  const accounts = db.collection<AccountDoc>('accounts');
  const eraser: AccountEraser = accountEraser(db, [
    eraseFrom(keyCollection(db)),
    eraseFrom(db.collection<PersonaDoc>('personas')),
    usageStore(db, Infinity).erase,
    // Last, so that an interrupted deletion goes on to be listed.
    async (account) => (await accounts.deleteOne({ _id: account })).deletedCount,
  ]);

  return {
    eraser,

    /** Marks an account as deleted, which ends its keys. Idempotent. NOT_FOUND if it is gone already. */
    async begin(account: string): Promise<AccountDoc> {
      const deleted = [compute({ deleted_at: '$$NOW' })];
      const found =
        (await accounts.findOneAndUpdate({ _id: account, ...LIVE }, deleted, { returnDocument: 'after' })) ??
        (await accounts.findOne({ _id: account }));
      if (!found) throw notFound(`There is no account ${account}.`);
      return found;
    },

    /** Erases what is left of a deleted account but its tombstone. Idempotent. */
    async finish(account: string): Promise<void> {
      const found = await accounts.findOne({ _id: account });
      if (found && !found.deleted_at)
        throw failedPrecondition(`The account ${account} has not been deleted: its keys still work.`);
      if (!found && !(await eraser.isDeleted(account))) return;
      await eraser.markDeleted(account);
      while (!(await eraser.erase(account)).done);
    },

    /** The accounts that were deleted in the last day, latest first. */
    listFinished: (request: PageRequest): Promise<Page<DeletedAccountDoc>> =>
      page(eraser.tombstones, { deleted_at: { $gte: new Date(Date.now() - DAY_MS) } }, request, {
        order: LATEST_FIRST,
      }),
  };
}
