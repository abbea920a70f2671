import type { Collection, Document } from 'mongodb';
import type { ListName, ListVersions } from './list-versions.ts';
import type { Amounts, Quota } from './quota.ts';

/** A document of which a list has changed: which list, and on which day it was created. */
type Changed<Field extends string> = ListName<Field> & { created_at: Date };

/** The result of a write. */
export interface Written<T, Field extends string, N extends string> {
  result: T;
  /** Whose lists have changed, or may have. */
  changed: readonly Changed<Field>[];
  /** The same, where documents have only moved within a list that may have been removed meanwhile. */
  moved?: readonly Changed<Field>[];
  /** How it changed what the account has. */
  counted?: Amounts<N>;
}

/** The quota of a write that adds to an account's usage, or takes from it. */
export interface Counting<T, N extends string> {
  account: string;
  /** The most that it may add. */
  most: Amounts<N>;
  /** Finds the result of an earlier attempt of the operation, if there is no room. */
  found?: () => Promise<T | null | undefined>;
}

type Reads = 'find' | 'findOne' | 'aggregate' | 'countDocuments' | 'collectionName';

/** A collection that is shown in lists. */
export interface Listed<T extends Document, Field extends string = never, N extends string = never>
  extends Pick<Collection<T>, Reads> {
  /**
   * Adds documents to lists, removes them, or changes what lists are filtered by. Afterwards, and before it resolves, the
   * versions of these lists are bumped, and what the account has is counted.
   *
   * @throws AppError `permission_denied` that names the limit, before anything is written
   */
  write<R>(make: (collection: Collection<T>) => Promise<Written<R, Field, N>>, counting?: Counting<R, N>): Promise<R>;
  /** For writes that no list shows: they neither add nor remove documents, nor change what lists are filtered by. */
  readonly unlisted: Collection<T>;
}

export function listed<T extends Document, Field extends string = never, N extends string = never>(
  collection: Collection<T>,
  versions: Pick<ListVersions<Field>, 'create' | 'bump'>,
  quota: Pick<Quota<N>, 'change'>,
): Listed<T, Field, N> {
  const { collectionName } = collection;
  async function write<R>(make: (collection: Collection<T>) => Promise<Written<R, Field, N>>) {
    const { result, changed, moved = [], counted = {} } = await make(collection);
    await Promise.all([...changed.map(versions.create), ...moved.map(versions.bump)]);
    return { result, counted };
  }
  return {
    collectionName,
    find: collection.find.bind(collection) as Collection<T>['find'],
    findOne: collection.findOne.bind(collection) as Collection<T>['findOne'],
    aggregate: collection.aggregate.bind(collection) as Collection<T>['aggregate'],
    countDocuments: collection.countDocuments.bind(collection),
    unlisted: collection,
    write: async (make, counting) =>
      counting
        ? quota.change(counting.account, counting.most, () => write(make), counting.found)
        : (await write(make)).result,
  };
}
