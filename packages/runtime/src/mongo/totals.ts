import type { Collection, Document, Filter } from 'mongodb';
import type { ListName, ListVersions } from './list-versions.ts';

/** Exclusive bounds of `created_at`. */
export interface Dates {
  before?: Date | undefined;
  after?: Date | undefined;
}

/** Filter: created between the dates. Empty if there are none. */
export const createdWithin = ({ before, after }: Dates): Document =>
  before || after ? { created_at: { ...(before && { $lt: before }), ...(after && { $gt: after }) } } : {};

type Days = ReadonlyMap<string, { version: number; count: number }>;

/** Counts of a list with one filter. Each is kept with the version that was read before it. */
interface Counted {
  /** The version of the list that the totals were counted at. */
  version: number;
  /** By the dates that were asked for. */
  totals: ReadonlyMap<string, number>;
  /** All days of the list, each with a version of its own; the count is of all that was created on it. */
  days: Days;
}

/** Limits on the totals that a process keeps. */
export interface TotalsLimits {
  /** Lists, each with one of its filters. */
  maxFilters: number;
  /** The most totals kept for one filter, between different dates. */
  maxTotals: number;
  /** The most days kept for all filters together. */
  maxDays: number;
  /** If more days than this have changed, one pass over the list is cheaper than a count for each. */
  maxCounts: number;
}

/** About 40 MB at most. */
const LIMITS: TotalsLimits = { maxFilters: 2_000, maxTotals: 50, maxDays: 200_000, maxCounts: 16 };
const DAY_MS = 24 * 3_600_000;

export type Totals<T extends Document, Field extends string> = ReturnType<typeof totalsOf<T, Field>>;

/**
 * Counts what is in lists. A total is kept in memory for as long as the list's version stays equal, so it is exact after every
 * acknowledged change, whichever replica has made it. After a change the list is counted by days, and from then on only the
 * days that have changed are counted again, and the parts of days at the bounds of a date filter.
 */
export function totalsOf<T extends Document, Field extends string>(
  collection: Pick<Collection<T>, 'aggregate' | 'countDocuments'>,
  listVersions: Pick<ListVersions<Field>, 'ofList' | 'ofDays'>,
  { maxFilters, maxTotals, maxDays, maxCounts }: TotalsLimits = LIMITS,
) {
  const kept = new Map<string, Counted>();
  let daysKept = 0;
  const underWay = new Map<string, Promise<number>>();

  /** Drops what was not asked for the longest if there is too much. */
  function keep(key: string, counted: Counted): void {
    const before = kept.get(key);
    if (before && before.version > counted.version) return;
    daysKept += counted.days.size - (before?.days.size ?? 0);
    kept.delete(key);
    kept.set(key, counted);
    for (const [oldest, { days }] of kept) {
      if (kept.size <= maxFilters && daysKept <= maxDays) break;
      kept.delete(oldest);
      daysKept -= days.size;
    }
  }

  const count = (filter: Filter<T>, dates: Document): Promise<number> =>
    collection.countDocuments({ ...filter, ...dates } as Filter<T>);

  async function countAll(filter: Filter<T>): Promise<Map<string, number>> {
    const day = { $dateToString: { date: '$created_at', format: '%Y-%m-%d' } };
    const pipeline = [{ $match: filter }, { $group: { _id: day, count: { $sum: 1 } } }];
    const found = await collection.aggregate<{ _id: string; count: number }>(pipeline).toArray();
    return new Map(found.map((each) => [each._id, each.count]));
  }

  async function countDays(filter: Filter<T>, days: readonly string[]): Promise<Map<string, number>> {
    if (days.length > maxCounts) return countAll(filter);
    return new Map(await Promise.all(days.map(async (day) => [day, await count(filter, partOf(day))] as const)));
  }

  /** Counts the days whose versions have changed; all days, if none were counted before. */
  async function refresh(list: ListName<Field>, filter: Filter<T>, days: Days): Promise<Days> {
    const now = await listVersions.ofDays(list);
    const changed = [...now.keys()].filter((day) => days.get(day)?.version !== now.get(day));
    const counts = days.size === 0 ? await countAll(filter) : await countDays(filter, changed);
    // What was stored before there were versions is found by counting everything.
    const counted = days.size === 0 ? new Set([...changed, ...counts.keys()]) : changed;
    const fresh = [...counted].map(
      (day) => [day, { version: now.get(day) ?? 0, count: counts.get(day) ?? 0 }] as const,
    );
    return new Map([...days, ...fresh]);
  }

  /** Adds up the days that are whole within the dates, and counts what is in the others, of which there are at most two. */
  async function add(filter: Filter<T>, days: Days, dates: Dates): Promise<number> {
    const [from, to] = [dates.after?.getTime() ?? -Infinity, dates.before?.getTime() ?? Infinity];
    let total = 0;
    const parts: Promise<number>[] = [];
    for (const [day, whole] of days) {
      const start = Date.parse(day);
      const end = start + DAY_MS;
      if (from < start && end <= to) total += whole.count;
      else if (from < end && start < to) parts.push(count(filter, partOf(day, dates)));
    }
    for (const part of await Promise.all(parts)) total += part;
    return total;
  }

  return {
    /**
     * @param list whose versions tell of changes
     * @param filter of its documents, including the account and what else names the list
     */
    async total(list: ListName<Field>, filter: Filter<T>, dates: Dates = {}): Promise<number> {
      const version = await listVersions.ofList(list);
      const [key, range] = [JSON.stringify(filter), `${dates.after?.getTime()}/${dates.before?.getTime()}`];
      const known = kept.get(key);
      const totals = known?.version === version ? known.totals : new Map<string, number>();
      const total = totals.get(range);
      if (total !== undefined) {
        keep(key, known!);
        return total;
      }
      const compute = async () => {
        // Whatever is asked for once is counted at once; days pay off for lists that change while they are read.
        const days = known ? await refresh(list, filter, known.days) : new Map();
        const total = known ? await add(filter, days, dates) : await count(filter, createdWithin(dates));
        const latest = kept.get(key);
        const others = latest?.version === version ? [...latest.totals] : [];
        keep(key, { version, totals: new Map([...others, [range, total] as const].slice(-maxTotals)), days });
        return total;
      };
      // Whoever has read the same version needs nothing newer than what is being counted.
      const flight = `${key} ${range} ${version}`;
      const counting = underWay.get(flight) ?? compute().finally(() => underWay.delete(flight));
      underWay.set(flight, counting);
      return counting;
    },
  };
}

/** Filter: created on a day, and between the dates. */
function partOf(day: string, { before, after }: Dates = {}): Document {
  const start = new Date(day);
  const end = new Date(start.getTime() + DAY_MS);
  const from = after && after >= start ? { $gt: after } : { $gte: start };
  return { created_at: { ...from, $lt: before && before < end ? before : end } };
}
