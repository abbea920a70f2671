type Numbers = Float32Array | Uint16Array | Uint32Array;

/** A typed array that grows by doubling: numbers of unknown count without an object for each. */
export interface Growable<T extends Numbers> {
  readonly length: number;
  push(value: number): void;
  append(values: ArrayLike<number>): void;
  /** What was pushed so far; not a copy. */
  view(): T;
}

export function createGrowable<T extends Numbers>(kind: new (length: number) => T): Growable<T> {
  let length = 0;
  let values = new kind(1024);

  function reserve(more: number) {
    if (length + more <= values.length) return;
    const larger = new kind(Math.max(values.length * 2, length + more));
    larger.set(values);
    values = larger;
  }

  return {
    get length() {
      return length;
    },
    push(value) {
      reserve(1);
      values[length++] = value;
    },
    append(more) {
      reserve(more.length);
      values.set(more, length);
      length += more.length;
    },
    view: () => values.subarray(0, length) as T,
  };
}
