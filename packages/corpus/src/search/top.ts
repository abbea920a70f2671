/** Keeps the best few of many. */
export interface Top<T> {
  offer(item: T): void;
  /** Says whether an item with this score would be among them so far. */
  takes(score: number): boolean;
  /** Best first; of equal ones, those that were offered first. */
  items(): T[];
}

export function createTop<T extends { readonly score: number }>(limit: number): Top<T> {
  let items: T[] = [];
  let least = Number.NEGATIVE_INFINITY;

  function shrink() {
    items = items.sort((a, b) => b.score - a.score).slice(0, limit);
    if (items.length === limit) least = items.at(-1)?.score ?? Number.POSITIVE_INFINITY;
  }

  return {
    takes: (score) => score > least,
    offer(item) {
      if (item.score <= least) return;
      items.push(item);
      if (items.length > 4 * limit) shrink();
    },
    items() {
      shrink();
      return items;
    },
  };
}
