import type { Collection, Db } from 'mongodb';

export class Killed extends Error {}

const OPERATIONS = new Set([
  'find',
  'findOne',
  'findOneAndUpdate',
  'updateOne',
  'updateMany',
  'bulkWrite',
  'insertMany',
]);

/**
 * The database as a process sees it that dies before an operation: none follows.
 *
 * @param lives how many operations it lives for
 */
export function dying(db: Db, lives: number) {
  let left = lives;
  const live = () => {
    if (left-- <= 0) throw new Killed();
  };
  const watched = (collection: Collection) =>
    new Proxy(collection, {
      get(target, name) {
        const found = Reflect.get(target, name, target);
        if (typeof found !== 'function') return found;
        return (...args: unknown[]) => {
          if (OPERATIONS.has(String(name))) live();
          return Reflect.apply(found, target, args);
        };
      },
    });
  const view = {
    collection: (name: string) => watched(db.collection(name)),
    aggregate: (...args: Parameters<Db['aggregate']>) => {
      live();
      return db.aggregate(...args);
    },
  };
  return { db: view as unknown as Db, isDead: () => left < 0 };
}
