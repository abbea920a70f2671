import { type Component, isAppError, type Log } from '@parley/runtime';
import { deriveId } from '@parley/runtime/rpc';
import type { FirstAccount } from './config.ts';
import type { Dependencies } from './dependencies.ts';
import { ALL_SCOPES } from './domain/scopes.ts';
import { OPERATORS_KEY } from './store/model.ts';

const OPERATION = deriveId('first-account');

/**
 * Creates the first account and its key, whichever process starts first. A revoked key stays revoked, and a deleted account
 * deleted; a different key in the configuration becomes another key of the same account.
 */
export const firstAccount = (
  { store, mint }: Pick<Dependencies, 'store' | 'mint'>,
  { name, key }: FirstAccount,
  log: Log,
): Component => ({
  name: 'first account',
  async start() {
    const account = await createUnlessDeleted(store, name);
    if (!account) return log.info('the first account was deleted; it is not created again');
    const hash = mint.hash(key)!;
    await store.keepKey(account._id, {
      _id: deriveId(OPERATION, hash),
      name: 'First key',
      scopes: ALL_SCOPES,
      hash,
      expires_at: null,
      ...OPERATORS_KEY,
    });
  },
});

async function createUnlessDeleted(store: Dependencies['store'], name: string) {
  try {
    return await store.createAccount(OPERATION, name);
  } catch (error) {
    if (isAppError(error, 'failed_precondition')) return undefined;
    throw error;
  }
}
