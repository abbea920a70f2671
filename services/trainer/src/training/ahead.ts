export interface Ahead<Item, Result> {
  load(signal: AbortSignal): AsyncIterable<Item>;
  work(item: Item, signal: AbortSignal): Promise<Result>;
  /** Items worked on at the same time, and results that wait to be taken. */
  limit: number;
  signal: AbortSignal;
}

/**
 * Loads the next items while it works on the ones before, and gives the results in the order of the items. Whatever
 * fails, and whoever stops taking results, ends all of it: what is under way is aborted, and has ended when this has.
 */
export async function* ahead<Item, Result>(options: Ahead<Item, Result>): AsyncGenerator<Result> {
  const left = new AbortController();
  const signal = AbortSignal.any([options.signal, left.signal]);
  const items = options.load(signal)[Symbol.asyncIterator]();
  const underWay: Promise<Result>[] = [];

  let loading: Promise<IteratorResult<Item>> | undefined = heard(items.next());
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
        underWay.push(heard(options.work(next.loaded.value, signal)));
        loading = heard(items.next());
      }
    }
  } finally {
    left.abort(new Error('Nobody needs it any more.'));
    await Promise.allSettled([loading, ...underWay]);
    await items.return?.();
  }
}

/** Nobody may be waiting for it when it fails. */
function heard<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
