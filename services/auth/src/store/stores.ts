import type { Db } from 'mongodb';
import { accountDeletion } from './account-deletion.ts';
import { authStore } from './auth-store.ts';
import { personaStore } from './personas.ts';
import { type Usage, usageStore } from './usage.ts';

/** The auth database, by concern. @param maxKeys of an account */
export const stores = (db: Db, maxKeys = Infinity) => withUsage(db, usageStore(db, maxKeys));

const withUsage = (db: Db, usage: Usage) => ({
  usage,
  store: authStore(db, usage),
  personas: personaStore(db),
  deletion: accountDeletion(db),
});

export type Stores = ReturnType<typeof stores>;
