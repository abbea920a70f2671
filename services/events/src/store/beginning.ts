import type { Db } from 'mongodb';

interface BeginningDoc {
  _id: 'beginning';
  at: Date;
}

const beginnings = (db: Db) => db.collection<BeginningDoc>('settings');

/** Remembers when the service first started. Idempotent. */
export async function markBeginning(db: Db): Promise<void> {
  const first = [{ $set: { at: { $ifNull: ['$at', '$$NOW'] } } }];
  await beginnings(db).updateOne({ _id: 'beginning' }, first, { upsert: true });
}

/**
 * Returns when the service first started. The log begins there: the bus also has what had happened before, and an upgrade would
 * otherwise announce the last week as news.
 */
export async function beginning(db: Db): Promise<Date> {
  return (await beginnings(db).findOne({ _id: 'beginning' }))!.at;
}
