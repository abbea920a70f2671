/** Wakes callers in this process that wait for news of something, by its name. */
export interface Notifier {
  notify(name: string): void;
  listen(name: string): Listener;
}

export interface Listener extends Disposable {
  /** Resolves on a notification since the last call, on the next one, or after `ms`. Rejects when the signal aborts. */
  next(ms: number, signal: AbortSignal): Promise<void>;
}

export function createNotifier(): Notifier {
  const listening = new Map<string, Set<() => void>>();

  return {
    notify(name) {
      for (const notify of listening.get(name) ?? []) notify();
    },
    listen(name) {
      const listeners = listening.get(name) ?? new Set();
      listening.set(name, listeners);
      let notified = false;
      let wake = () => {};
      const notify = () => {
        notified = true;
        wake();
      };
      listeners.add(notify);
      return {
        async next(ms, signal) {
          signal.throwIfAborted();
          if (!notified) await rest(ms, signal, (resolve) => (wake = resolve));
          notified = false;
          signal.throwIfAborted();
        },
        [Symbol.dispose]() {
          listeners.delete(notify);
          if (listeners.size === 0 && listening.get(name) === listeners) listening.delete(name);
        },
      };
    },
  };
}

/** Resolves after `ms`, when the signal aborts, or when `wake` is called, which is passed to `given`. */
async function rest(ms: number, signal: AbortSignal, given: (wake: () => void) => void): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let wake = () => {};
  await new Promise<void>((resolve) => {
    wake = resolve;
    given(wake);
    timer = setTimeout(wake, ms);
    signal.addEventListener('abort', wake, { once: true });
  });
  clearTimeout(timer);
  signal.removeEventListener('abort', wake);
}
