import type { Db } from 'mongodb';
import { accountDeletion } from './account-deletion.ts';
import { authStore } from './auth-store.ts';
import { personaStore } from './personas.ts';

/** The auth database, by concern. */
export const stores = (db: Db) => ({
  store: authStore(db),
  personas: personaStore(db),
  deletion: accountDeletion(db),
});

export type Stores = ReturnType<typeof stores>;
