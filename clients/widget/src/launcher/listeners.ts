import type { ParleyChat } from '../../parley.d.ts';
import type { Emit } from '../contract.ts';

/** Keeps what the page listens to. A listener that throws disturbs neither the chat nor the other listeners. */
export function createListeners(): { emit: Emit; on: ParleyChat['on'] } {
  const listeners = new Map<string, Set<(detail: never) => void>>();
  return {
    emit(event, detail) {
      for (const listener of listeners.get(event) ?? [])
        try {
          listener(detail as never);
        } catch (error) {
          reportError(error);
        }
    },
    on(event, listener) {
      const all = listeners.get(event) ?? new Set();
      listeners.set(event, all.add(listener));
      return () => all.delete(listener);
    },
  };
}
