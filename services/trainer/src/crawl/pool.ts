/** Work in progress, yielded in the order of completion. */
export interface Pool<Key, Result> {
  start(key: Key, work: Promise<Result>): void;
  has(key: Key): boolean;
  readonly size: number;
  /** Rejects with the failure of any work, or with the signal's reason if it is aborted. */
  next(): Promise<[Key, Result]>;
}

export function createPool<Key, Result>(signal: AbortSignal): Pool<Key, Result> {
  const underWay = new Map<Key, Promise<[Key, Result]>>();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  aborted.catch(() => {});
  return {
    start(key, work) {
      const ended = work.then((result): [Key, Result] => [key, result]);
      // Prevents an unhandled rejection when it fails before anyone awaits it.
      ended.catch(() => {});
      underWay.set(key, ended);
    },
    has: (key) => underWay.has(key),
    get size() {
      return underWay.size;
    },
    async next() {
      signal.throwIfAborted();
      const [key, result] = await Promise.race([aborted, ...underWay.values()]);
      underWay.delete(key);
      return [key, result];
    },
  };
}
