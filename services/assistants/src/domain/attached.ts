import { invalidArgument, type Page, type PageRequest, pageLimit } from '@parley/runtime';

interface Attached {
  item: string;
  at: Date;
}

/** A page, by position, of a list in memory: newest first, ties by item. */
export function pageOfAttached<T extends Attached>(
  attached: readonly T[],
  { limit, nextCursor }: PageRequest,
): Page<T> {
  const size = pageLimit(limit);
  const sorted = attached.toSorted(newestFirst);
  const after = nextCursor === '' ? undefined : readPosition(nextCursor);
  const rest = after ? sorted.filter((one) => newestFirst(one, after) > 0) : sorted;
  const items = rest.slice(0, size);
  const hasMore = rest.length > size;
  return { items, total: sorted.length, hasMore, nextCursor: hasMore ? position(items.at(-1)!) : '' };
}

const newestFirst = (a: Attached, b: Attached): number =>
  b.at.getTime() - a.at.getTime() || (a.item < b.item ? 1 : a.item > b.item ? -1 : 0);

const position = ({ at, item }: Attached): string => Buffer.from(`${at.getTime()} ${item}`).toString('base64url');

function readPosition(cursor: string): Attached {
  const [, ms, item] = /^(\d{1,15}) (.+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (!ms || !item) throw invalidArgument('next_cursor is not one that this list has given.');
  return { at: new Date(Number(ms)), item };
}
