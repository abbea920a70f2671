import type { Collection, Document, Filter, WithId } from 'mongodb';
import { notFound, permissionDenied } from '../errors.ts';
import { LIVE } from './tombstone.ts';

/** A document that belongs to an account. */
export interface Owned {
  _id: string;
  account: string;
  deleted_at?: Date | null;
}

/**
 * Finds out whether a document that the account does not have belongs to another account. One of the few reads without an
 * account.
 *
 * @returns never; throws PERMISSION_DENIED for another account's, else NOT_FOUND.
 */
export async function refuse<T extends Owned>(
  collection: Pick<Collection<T>, 'findOne'>,
  by: Filter<T>,
  what: string,
): Promise<never> {
  const other = await collection.findOne({ ...by, ...LIVE } as Filter<T>, { projection: { _id: 1 } as Document });
  if (other) throw permissionDenied(`This ${what} belongs to another account.`);
  throw notFound(`There is no such ${what}.`);
}

/** The account's own document. @throws AppError `permission_denied` for another account's, else `not_found`. */
export async function ownedBy<T extends Owned>(
  collection: Pick<Collection<T>, 'findOne'>,
  account: string,
  by: Filter<T>,
  what: string,
): Promise<WithId<T>> {
  const found = await collection.findOne({ ...by, account, ...LIVE } as Filter<T>);
  return found ?? refuse(collection, by, what);
}
