/** Keeps the best few of many, best first. */
export interface Top<T> {
  /** Whether an item with this score could still get in, to avoid creating one that couldn't. */
  admits(score: number): boolean;
  offer(item: T): void;
  readonly items: readonly T[];
}

/** `compare` is negative where the first comes first; it must agree with scores in descending order, ties aside. */
export function createTop<T extends { score: number }>(limit: number, compare: (a: T, b: T) => number): Top<T> {
  const items: T[] = [];
  return {
    items,
    admits: (score) => items.length < limit || (limit > 0 && score >= items[limit - 1]!.score),
    offer(item) {
      let low = 0;
      let high = items.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (compare(items[middle]!, item) <= 0) low = middle + 1;
        else high = middle;
      }
      if (low >= limit) return;
      items.splice(low, 0, item);
      if (items.length > limit) items.pop();
    },
  };
}
