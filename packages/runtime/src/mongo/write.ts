import type { Collection, Document, Filter, WithId } from 'mongodb';
import { isDuplicate } from './errors.ts';

/** A user's value in a pipeline update: stays data even if it begins with `$`. */
export const literal = (value: unknown): Document => ({ $literal: value });

/** Pipeline stage: sets fields to values that are data. */
export const set = (fields: Document): Document => ({
  $set: Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, literal(value)])),
});

/** Pipeline stage: sets fields to expressions, such as `'$$NOW'`. */
export const compute = (fields: Document): Document => ({ $set: fields });

/** Pipeline value: exactly these fields. `$set` alone would merge them into the existing object. */
export const whole = (fields: Document): Document => ({ $mergeObjects: [fields] });

/**
 * Inserts a document whose `_id` derives from the operation id, so that a retry finds it. `created_at` is the database's
 * time. Returns the stored document, or undefined if an earlier call has inserted it.
 *
 * @param stages more pipeline stages for the same write, such as `outbox(...)`.
 */
export async function insertOnce<T extends Document>(
  collection: Collection<T>,
  document: Document & { _id: unknown },
  stages: Document[] = [],
): Promise<WithId<T> | undefined> {
  const { _id, ...fields } = document;
  // The filter matches no stored document, so the upsert of an existing one fails with a duplicate key.
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

const DELETE_BATCH = 5_000;

/**
 * Deletes all matching documents in parts, so that no single operation exceeds its time limit. The filter needs an index.
 * Idempotent; documents inserted meanwhile may stay.
 */
export async function deleteInParts<T extends Document>(collection: Collection<T>, filter: Filter<T>): Promise<void> {
  await deleteAndCount(collection, filter);
}

/** The same. Returns how many documents it has deleted itself. */
export async function deleteAndCount<T extends Document>(
  collection: Collection<T>,
  filter: Filter<T>,
): Promise<number> {
  for (let deleted = 0; ; ) {
    const part = await deleteSome(collection, filter, DELETE_BATCH);
    deleted += part.deleted;
    if (part.found < DELETE_BATCH) return deleted;
  }
}

/** Deletes at most `limit` matching documents and returns how many it found. Fewer than the limit: none are left. */
export async function deletePart<T extends Document>(
  collection: Collection<T>,
  filter: Filter<T>,
  limit: number,
): Promise<number> {
  return (await deleteSome(collection, filter, limit)).found;
}

async function deleteSome<T extends Document>(collection: Collection<T>, filter: Filter<T>, limit: number) {
  const found = await collection.find(filter, { projection: { _id: 1 } as Document, limit }).toArray();
  const _id = { $in: found.map(({ _id }) => _id) };
  const deleted = found.length > 0 ? await collection.deleteMany({ ...filter, _id } as Filter<T>) : { deletedCount: 0 };
  return { found: found.length, deleted: deleted.deletedCount };
}
