import fc, { type Scheduler } from 'fast-check';
import type { AbstractCursor, Collection, Db } from 'mongodb';

/** A process that performs its acts in order, and may die before any of its database operations. */
export interface Actor {
  acts: { do: string; which: number }[];
  /** The number of operations before it dies. */
  lives: number;
}

export const actor = (...acts: string[]): fc.Arbitrary<Actor> =>
  fc.record({
    acts: fc.array(fc.record({ do: fc.constantFrom(...acts), which: fc.nat(2) }), { minLength: 1, maxLength: 4 }),
    lives: fc.oneof({ weight: 3, arbitrary: fc.constant(Infinity) }, { weight: 1, arbitrary: fc.nat(20) }),
  });

export class Killed extends Error {}

/** Operations that others may come between. */
const TURNS = new Set([
  'findOne',
  'countDocuments',
  'findOneAndUpdate',
  'updateOne',
  'updateMany',
  'deleteOne',
  'deleteMany',
  'bulkWrite',
]);

/** Reads whose turn comes when their result is read. */
const CURSORS = new Set(['find', 'aggregate']);

/**
 * The database as an actor sees it: each operation waits for its turn, and none follows the actor's death.
 *
 * @param isOver from then on, operations do not wait
 */
export function interleaved(db: Db, { lives }: Actor, scheduler: Scheduler, isOver = () => false): Db {
  let left = lives;
  async function turn() {
    if (isOver()) return;
    await scheduler.schedule(Promise.resolve());
    if (left-- <= 0) throw new Killed();
  }
  const waiting = (cursor: AbstractCursor): AbstractCursor =>
    new Proxy(cursor, {
      get(target, name) {
        const found = Reflect.get(target, name, target);
        if (name === 'toArray') return () => turn().then(() => target.toArray());
        if (typeof found !== 'function') return found;
        return (...args: unknown[]) => {
          const result = Reflect.apply(found, target, args);
          return result === target ? waiting(target) : result;
        };
      },
    });
  const watched = (collection: Collection) =>
    new Proxy(collection, {
      get(target, name) {
        const found = Reflect.get(target, name, target);
        if (CURSORS.has(String(name)))
          return (...args: unknown[]) => waiting(Reflect.apply(found, target, args) as AbstractCursor);
        if (!TURNS.has(String(name))) return found;
        return async (...args: unknown[]) => {
          await turn();
          return Reflect.apply(found, target, args);
        };
      },
    });
  return { collection: (name: string) => watched(db.collection(name)) } as unknown as Db;
}
