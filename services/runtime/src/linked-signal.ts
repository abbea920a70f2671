/** A signal for one piece of work; dispose of it when that has ended. */
export interface LinkedSignal extends Disposable {
  readonly signal: AbortSignal;
  /** Whether the time passed before any of the others aborted. */
  readonly late: boolean;
}

/**
 * A signal that aborts with the first of `signals`, for its reason, or once `timeoutMs` have passed.
 *
 * In the place of `AbortSignal.any` and `AbortSignal.timeout` where work is frequent: Node keeps what these make, with
 * all that listens to them, until they abort, and libraries listen without an end (openai does, for each request).
 */
export function linkedSignal(signals: readonly AbortSignal[], timeoutMs?: number): LinkedSignal {
  const linked = new AbortController();
  const { signal } = linked;
  let late = false;

  function follow({ target }: Event) {
    linked.abort((target as AbortSignal).reason);
  }
  function expire() {
    late = !signal.aborted;
    linked.abort(new DOMException(`It took more than ${timeoutMs} ms.`, 'TimeoutError'));
  }

  const timer = timeoutMs === undefined ? undefined : setTimeout(expire, timeoutMs);
  const aborted = signals.find((each) => each.aborted);
  if (aborted) linked.abort(aborted.reason);
  for (const each of signals) each.addEventListener('abort', follow, { once: true });
  return {
    signal,
    get late() {
      return late;
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      for (const each of signals) each.removeEventListener('abort', follow);
    },
  };
}
