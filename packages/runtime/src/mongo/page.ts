import type { Collection, Document, Filter, WithId } from 'mongodb';
import { invalidArgument } from '../errors.ts';
import { type Page, type PageRequest, pageLimit } from '../paging.ts';

/** The fields that a list is sorted by, the last of which is unique, and their common direction. */
export interface Order {
  fields: readonly string[];
  direction: 1 | -1;
}

const NEWEST_FIRST: Order = { fields: ['created_at', '_id'], direction: -1 };

export interface PageOptions {
  /** Default: newest first. */
  order?: Order;
  /** Must keep the fields of the order. */
  projection?: Document;
  /** Counts what matches the filter. By default the database does, which costs more than the page if there is much. */
  total?: () => Promise<number>;
}

/**
 * Reads a page by position, not by number, so that concurrent changes neither repeat nor skip an item. `total` counts all
 * documents that match the filter.
 */
export async function page<T extends Document>(
  collection: Pick<Collection<T>, 'find' | 'countDocuments'>,
  filter: Filter<T>,
  request: PageRequest,
  { order = NEWEST_FIRST, projection = {}, total = () => collection.countDocuments(filter) }: PageOptions = {},
): Promise<Page<WithId<T>>> {
  const limit = pageLimit(request.limit);
  const after = request.nextCursor === '' ? [] : [beyond(order, readPosition(request.nextCursor, order))];
  const sort = Object.fromEntries(order.fields.map((field) => [field, order.direction]));
  const [found, counted] = await Promise.all([
    collection
      .find({ $and: [filter, ...after] } as Filter<T>, { projection })
      .sort(sort)
      .limit(limit + 1)
      .toArray(),
    total(),
  ]);
  const items = found.slice(0, limit);
  const hasMore = found.length > limit;
  return { items, total: counted, hasMore, nextCursor: hasMore ? position(items.at(-1)!, order) : '' };
}

/**
 * Filter: strictly after a position. For (a, b): a beyond it, or a equal and b beyond it. The bound on a is redundant, but
 * lets the database start there in the index; with `$or` alone it reads all pages up to this one.
 */
function beyond({ fields, direction }: Order, values: unknown[]): Document {
  const op = direction === 1 ? '$gt' : '$lt';
  return {
    [fields[0]!]: { [`${op}e`]: values[0] },
    $or: fields.map((field, i) => ({
      ...Object.fromEntries(fields.slice(0, i).map((equal, j) => [equal, values[j]])),
      [field]: { [op]: values[i] },
    })),
  };
}

function position(document: Document, { fields }: Order): string {
  const values = fields.map((field) =>
    document[field] instanceof Date ? { $date: document[field].getTime() } : document[field],
  );
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

function readPosition(cursor: string, { fields }: Order): unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(values) && values.length === fields.length) return values.map(readValue);
  } catch {}
  throw invalidArgument('next_cursor is not one that this list has given.');
}

function readValue(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'number') return value;
  const ms = (value as { $date?: unknown } | null)?.$date;
  if (typeof ms !== 'number') throw new TypeError('not a position');
  return new Date(ms);
}
