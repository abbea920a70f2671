import type { Collection, Document, Filter, WithId } from 'mongodb';
import { isDuplicate } from './errors.ts';

/** A user's value in a pipeline update: kept as data even where it begins with `$`. */
export const literal = (value: unknown): Document => ({ $literal: value });

/** Pipeline stage: sets fields to values that are data. */
export const set = (fields: Document): Document => ({
  $set: Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, literal(value)])),
});

/** Pipeline stage: sets fields to expressions, such as `'$$NOW'`. */
export const compute = (fields: Document): Document => ({ $set: fields });

/**
 * Inserts a document whose `_id` comes from the operation id, so that a retry finds it made. `created_at` is the
 * database's clock. Gives the document as it was stored; undefined where an earlier call has made it.
 *
 * @param stages further pipeline stages of the same write, such as `outbox(...)`.
 */
export async function insertOnce<T extends Document>(
  collection: Collection<T>,
  document: Document & { _id: unknown },
  stages: Document[] = [],
): Promise<WithId<T> | undefined> {
  const { _id, ...fields } = document;
  // The filter matches no stored document, so one that exists makes the upsert a duplicate key.
  const absent = { _id, created_at: { $exists: false } } as unknown as Filter<T>;
  const pipeline = [set(fields), compute({ created_at: '$$NOW' }), ...stages];
  try {
    const made = await collection.findOneAndUpdate(absent, pipeline, { upsert: true, returnDocument: 'after' });
    return made ?? undefined;
  } catch (error) {
    if (isDuplicate(error)) return undefined;
    throw error;
  }
}
