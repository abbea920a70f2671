import { invalidArgument } from './errors.ts';

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 100;

/** A page of a list, as in the REST contract. `nextCursor` is empty on the last page. */
export interface Page<T> {
  items: T[];
  total: number;
  hasMore: boolean;
  nextCursor: string;
}

export interface PageRequest {
  /** 1 to 100; 0 means 25. */
  limit: number;
  /** The position from an earlier page; empty for the first page. The gateway seals it for clients. */
  nextCursor: string;
}

/** The number of items asked for, or the default. @throws AppError `invalid_argument` if it is more than a page may have. */
export function pageLimit(limit: number): number {
  if (limit > MAX_LIMIT) throw invalidArgument(`limit must be from 1 to ${MAX_LIMIT}.`);
  return limit || DEFAULT_LIMIT;
}
