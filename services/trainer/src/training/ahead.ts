import { linkedSignal } from '@parley/runtime';

export interface Ahead<Item, Result> {
  load(signal: AbortSignal): AsyncIterable<Item>;
  work(item: Item, signal: AbortSignal): Promise<Result>;
  /** Items in progress, plus results that have not been consumed. */
  limit: number;
  signal: AbortSignal;
}

/**
 * Loads the next items while it works on earlier ones, and yields the results in the order of the items. On a failure, or
 * if the consumer stops, everything in progress is aborted, and has ended before this ends.
 */
export async function* ahead<Item, Result>(options: Ahead<Item, Result>): AsyncGenerator<Result> {
  const left = new AbortController();
  using linked = linkedSignal([options.signal, left.signal]);
  const { signal } = linked;
  const items = options.load(signal)[Symbol.asyncIterator]();
  const underWay: Promise<Result>[] = [];

  let loading: Promise<IteratorResult<Item>> | undefined = markHandled(items.next());
  try {
    while (loading || underWay.length > 0) {
      const hasRoom = underWay.length < options.limit;
      const next = await Promise.race([
        ...(loading && hasRoom ? [loading.then((loaded) => ({ loaded }))] : []),
        ...underWay.slice(0, 1).map((first) => first.then((result) => ({ result }))),
      ]);
      if ('result' in next) {
        underWay.shift();
        yield next.result;
      } else if (next.loaded.done) {
        loading = undefined;
      } else {
        underWay.push(markHandled(options.work(next.loaded.value, signal)));
        loading = markHandled(items.next());
      }
    }
  } finally {
    left.abort(new Error('The consumer stopped.'));
    await Promise.allSettled([loading, ...underWay]);
    await items.return?.();
  }
}

/** Prevents an unhandled rejection when it fails before anyone awaits it. */
function markHandled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
