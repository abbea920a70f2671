import type { AccountEraser } from '../mongo/deleted-accounts.ts';
import type { Call } from './call.ts';

/**
 * The handler of a service's DeleteAccountData: tombstones the account as deleted, then erases some of its data. The caller
 * repeats it until `done`. Idempotent; operators only.
 */
export const deleteAccountData =
  (eraser: AccountEraser) =>
  async ({ accountId }: { accountId: string }, call: Call) => {
    call.requireOperator();
    await eraser.markDeleted(accountId);
    return eraser.erase(accountId);
  };
