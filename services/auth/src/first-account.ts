import { type Component, deriveId } from '@parley/runtime';
import type { FirstAccount } from './config.ts';
import { ALL_SCOPES } from './domain/scopes.ts';
import type { Parts } from './parts.ts';

const OPERATION = deriveId('first-account');

/**
 * Makes the first account and its key, whichever process comes first. A key that was revoked stays revoked; another key in
 * the configuration is another key of the same account.
 */
export const firstAccount = (
  { store, mint }: Pick<Parts, 'store' | 'mint'>,
  { name, key }: FirstAccount,
): Component => ({
  name: 'first account',
  async start() {
    const account = await store.createAccount(OPERATION, name);
    const hash = mint.hash(key)!;
    const made = { _id: deriveId(OPERATION, hash), name: 'First key', scopes: ALL_SCOPES, hash, expires_at: null };
    await store.createKey(account._id, made);
  },
});
