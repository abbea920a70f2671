/** A signal for one piece of work. Dispose of it when the work has ended. */
export interface LinkedSignal extends Disposable {
  readonly signal: AbortSignal;
  /** True if the timeout fired before any of the other signals aborted. */
  readonly late: boolean;
}

/**
 * A signal that aborts with the reason of the first of `signals` to abort, or after `timeoutMs`.
 *
 * Use it instead of `AbortSignal.any` and `AbortSignal.timeout` for frequent work: Node keeps their signals and all their
 * listeners until they abort, and some libraries never remove their listeners (openai adds one per request).
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
