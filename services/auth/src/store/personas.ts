import { invalidArgument, notFound } from '@parley/runtime';
import {
  compute,
  insertOnce,
  LIVE,
  type Owned,
  ownedBy,
  type Page,
  type PageRequest,
  page,
  refuse,
  set,
} from '@parley/runtime/mongo';
import type { Db } from 'mongodb';
import type { Persona } from '../domain/persona.ts';

export interface PersonaDoc extends Owned, Persona {
  created_at: Date;
  /** The tombstone of a deleted persona stays for a day, for retries of the operation that deleted it. */
  deleted_at: Date | null;
  delete_op?: string;
}

const MAX_PERSONAS = 1_000;

export type PersonaStore = ReturnType<typeof personaStore>;

export function personaStore(db: Db) {
  const personas = db.collection<PersonaDoc>('personas');
  const own = (account: string, id: string): Promise<PersonaDoc> => ownedBy(personas, account, { _id: id }, 'persona');

  return {
    /**
     * Creates a persona, or finds the one that the same operation created; NOT_FOUND if that was deleted meanwhile. The
     * limit is checked without a lock, so concurrent calls may exceed it, which does no harm.
     */
    async createPersona(account: string, operation: string, persona: Persona): Promise<PersonaDoc> {
      const created = () => personas.findOne({ _id: operation, account });
      let found: PersonaDoc | null | undefined = await created();
      if (!found) {
        if ((await personas.countDocuments({ account, ...LIVE })) >= MAX_PERSONAS)
          throw invalidArgument(`An account can have at most ${MAX_PERSONAS} personas. Delete one first.`);
        found =
          (await insertOnce(personas, { _id: operation, account, ...persona, deleted_at: null })) ?? (await created());
      }
      if (!found || found.deleted_at) throw notFound('The persona that this operation created has been deleted.');
      return found;
    },

    /** @throws AppError `not_found`, or `permission_denied` for another account's. */
    persona: own,

    listPersonas: (account: string, request: PageRequest): Promise<Page<PersonaDoc>> =>
      page(personas, { account, ...LIVE }, request),

    /** Returns the deleted persona. Idempotent by operation; NOT_FOUND if another operation deleted it first. */
    async deletePersona(account: string, id: string, operation: string): Promise<PersonaDoc> {
      const deleted = [compute({ deleted_at: '$$NOW' }), set({ delete_op: operation })];
      const live = { _id: id, account, ...LIVE };
      return (
        (await personas.findOneAndUpdate(live, deleted, { returnDocument: 'after' })) ??
        (await personas.findOne({ _id: id, account, delete_op: operation })) ??
        refuse(personas, { _id: id }, 'persona')
      );
    },
  };
}
