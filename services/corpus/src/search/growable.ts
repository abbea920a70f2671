type Numbers = Float32Array | Uint16Array | Uint32Array;

/** A typed array that grows by doubling. */
export interface Growable<T extends Numbers> {
  readonly length: number;
  /** Of memory, room to grow included. */
  readonly bytes: number;
  push(value: number): void;
  append(values: ArrayLike<number>): void;
  /** What was pushed so far; not a copy. */
  view(): T;
}

/** @param expected initial capacity: growing needs two thirds more memory for a moment. */
export function createGrowable<T extends Numbers>(kind: new (length: number) => T, expected = 1024): Growable<T> {
  let length = 0;
  let values = new kind(expected);

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
    get bytes() {
      return values.byteLength;
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
