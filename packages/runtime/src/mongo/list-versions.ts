import type { Db, Document, Filter } from 'mongodb';
import { isDuplicate } from './errors.ts';
import { deleteInParts } from './write.ts';

/** Names a list: its account, and what else tells the account's lists apart. */
export type ListName<Field extends string = never> = Record<Field | 'account', string>;

/** Counts the changes of what a list counts. It also has the fields that name the list. */
export interface ListVersionDoc {
  _id: string;
  account: string;
  /** Such as `2026-01-31`, in UTC; null for the whole list. */
  day: string | null;
  n: number;
}

export type ListVersions<Field extends string = never> = ReturnType<typeof listVersionStore<Field>>;

/** The versions of a database. */
export const LIST_VERSIONS = 'list_versions';

export const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

/**
 * Versions make totals cacheable. The rule: every write that adds a document to a list, removes it or changes a field that the
 * list is filtered by, bumps two versions after it and before it is acknowledged: the one of the day on which the document was
 * created, then the one of the list. A total may be kept for as long as the version stays equal that was read before it was
 * counted. A total of whole days depends on the versions of those days only.
 *
 * A process may die between the write and its bump. Each of those writes therefore has an event, whose consumer bumps again.
 *
 * There is one document for a list, and one for each day on which a document of it was created.
 *
 * @param fields those that name a list besides the account
 * @param name of their collection. Lists that are named by other fields need another one.
 */
export function listVersionStore<Field extends string = never>(
  db: Db,
  fields: readonly Field[] = [],
  name = LIST_VERSIONS,
) {
  const listVersions = db.collection<ListVersionDoc & Document>(name);

  const naming = ['account', ...fields] as const;
  /** Only the fields that name the list. */
  const nameOf = (list: ListName<Field>) =>
    Object.fromEntries(naming.map((field) => [field, list[field]])) as ListName<Field>;
  const idOf = (list: ListName<Field>, day: string | null) =>
    [...naming.map((field) => list[field]), day ?? 'all'].join('/');

  type Listed = ListName<Field> & { created_at: Date };

  const bump = async (listed: Listed, upsert: boolean): Promise<void> => {
    const { account, ...name } = nameOf(listed);
    // In this order: whoever finds the list's version changed must find the day's changed, too.
    const operations = [dayOf(listed.created_at), null].map((day) => ({
      updateOne: {
        filter: { _id: idOf(listed, day), account },
        update: { $inc: { n: 1 }, $setOnInsert: { ...name, day } },
        upsert,
      },
    }));
    const write = () => listVersions.bulkWrite(operations as never, { ordered: true });
    // Of concurrent upserts, all but one get a duplicate key, which may happen with each of the two; the next attempt finds the
    // document. Bumping the other version twice does no harm.
    const again = (error: unknown) => (isDuplicate(error) ? write() : Promise.reject(error));
    await write().catch(again).catch(again);
  };

  return {
    /** Bumps the versions of a document, and creates them if they are missing. */
    create: (listed: Listed): Promise<void> => bump(listed, true),

    /** Bumps the versions of a document whose change matters to the list. Creates none. */
    bump: (listed: Listed): Promise<void> => bump(listed, false),

    /** The version of a list; 0 if it has none. */
    async ofList(list: ListName<Field>): Promise<number> {
      const filter = { _id: idOf(list, null), account: list.account } as Filter<ListVersionDoc>;
      return (await listVersions.findOne(filter, { projection: { n: 1 } }))?.n ?? 0;
    },

    /** The versions of the days of a list. */
    async ofDays(list: ListName<Field>): Promise<Map<string, number>> {
      const filter = { ...nameOf(list), day: { $ne: null } } as Filter<ListVersionDoc>;
      const found = listVersions.find(filter, { projection: { _id: 0, day: 1, n: 1 } });
      return new Map((await found.toArray()).map(({ day, n }) => [day!, n]));
    },

    /** Removes all versions of a list. */
    drop: (list: ListName<Field>): Promise<void> => deleteInParts(listVersions, nameOf(list) as Filter<ListVersionDoc>),
  };
}
