import type { Component } from '@parley/runtime';
import { within } from '@parley/runtime';

/** The replies under way in this process. They outlive their callers, but not the process: it waits for them. */
export interface Replies extends Component {
  /** Aborts when the process has waited long enough. */
  signal: AbortSignal;
  track<T>(work: Promise<T>): Promise<T>;
}

/** What an aborted reply needs to give its turn up. */
const ABANDON_MS = 2_000;

export function createReplies(graceMs: number): Replies {
  const running = new Set<Promise<unknown>>();
  const ending = new AbortController();
  const settled = (ms: number) => within(ms, Promise.allSettled(running), 'replies are still under way');

  return {
    name: 'replies',
    signal: ending.signal,
    track(work) {
      running.add(work);
      const done = () => running.delete(work);
      work.then(done, done);
      return work;
    },
    async stop() {
      await settled(graceMs).catch(() => ending.abort(new Error('The process is stopping.')));
      await settled(ABANDON_MS);
    },
    stopMs: graceMs + 2 * ABANDON_MS,
  };
}
