import type { Collection, Document, Filter, WithId } from 'mongodb';
import { invalidArgument } from '../errors.ts';

/** A page of a list, in the words of the REST contract. `nextCursor` is empty on the last one. */
export interface Page<T> {
  items: T[];
  total: number;
  hasMore: boolean;
  nextCursor: string;
}

export interface PageRequest {
  /** 1 to 100; 0 stands for 25. */
  limit: number;
  /** A position that an earlier page gave; empty for the first one. The gateway seals it for clients. */
  nextCursor: string;
}

/** The fields that order a list, the last of which is unique, and the direction of all of them. */
export interface Order {
  fields: readonly string[];
  direction: 1 | -1;
}

export const NEWEST_FIRST: Order = { fields: ['created_at', '_id'], direction: -1 };

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 100;

/**
 * Reads a page by position, not by number: nothing is shown twice or skipped while others come and go. `total` counts
 * all that match the filter.
 */
export async function page<T extends Document>(
  collection: Collection<T>,
  filter: Filter<T>,
  request: PageRequest,
  order: Order = NEWEST_FIRST,
): Promise<Page<WithId<T>>> {
  const limit = pageLimit(request.limit);
  const after = request.nextCursor === '' ? [] : [beyond(order, readPosition(request.nextCursor, order))];
  const sort = Object.fromEntries(order.fields.map((field) => [field, order.direction]));
  const [found, total] = await Promise.all([
    collection
      .find({ $and: [filter, ...after] } as Filter<T>)
      .sort(sort)
      .limit(limit + 1)
      .toArray(),
    collection.countDocuments(filter),
  ]);
  const items = found.slice(0, limit);
  const hasMore = found.length > limit;
  return { items, total, hasMore, nextCursor: hasMore ? position(items.at(-1)!, order) : '' };
}

export function pageLimit(limit: number): number {
  if (limit > MAX_LIMIT) throw invalidArgument(`limit must be from 1 to ${MAX_LIMIT}.`);
  return limit || DEFAULT_LIMIT;
}

/** Filter: strictly after a position. For (a, b): a beyond it, or a equal and b beyond it. */
function beyond({ fields, direction }: Order, values: unknown[]): Document {
  const op = direction === 1 ? '$gt' : '$lt';
  return {
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
