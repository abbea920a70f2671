import { setMaxListeners } from 'node:events';
import { accountShare, type Component, createTally, unavailableDoNotRetry, within } from '@parley/runtime';

/** The replies in progress in this process. They outlive their callers; the process waits for them before it stops. */
export interface Replies extends Component {
  /** Aborts at the end of the grace period of a stop. */
  signal: AbortSignal;
  /** @throws AppError `unavailable`, before any work, if a limit is reached. */
  run<T>(account: string, assistant: string, work: () => Promise<T>): Promise<T>;
}

export interface ReplyLimits {
  /** Replies in progress in a process, including those of questions that wait in a session. An account may have half. */
  atOnce: number;
  /** The same, per assistant. */
  atOncePerAssistant: number;
}

/** How long an aborted reply may take to release its claim. */
const FAIL_MS = 2_000;

export function createReplies(graceMs: number, { atOnce, atOncePerAssistant }: ReplyLimits): Replies {
  const running = new Set<Promise<unknown>>();
  const byAccount = createTally();
  const byAssistant = createTally();
  const ending = new AbortController();
  // Each reply in progress listens to it.
  setMaxListeners(0, ending.signal);
  const settled = (ms: number) => within(ms, Promise.allSettled(running), 'replies are still in progress');

  return {
    name: 'replies',
    signal: ending.signal,
    async run(account, assistant, work) {
      if (running.size >= atOnce)
        throw unavailableDoNotRetry('Too many replies are in progress. Try again in a moment.');
      if (byAccount.of(account) >= accountShare(atOnce))
        throw unavailableDoNotRetry('Too many replies of this account are in progress. Try again in a moment.');
      if (byAssistant.of(assistant) >= atOncePerAssistant)
        throw unavailableDoNotRetry('Too many replies of this assistant are in progress. Try again in a moment.');
      const reply = work();
      running.add(reply);
      byAccount.add(account, 1);
      byAssistant.add(assistant, 1);
      try {
        return await reply;
      } finally {
        running.delete(reply);
        byAccount.add(account, -1);
        byAssistant.add(assistant, -1);
      }
    },
    async stop() {
      await settled(graceMs).catch(() => ending.abort(new Error('The process is stopping.')));
      await settled(FAIL_MS);
    },
    stopMs: graceMs + 2 * FAIL_MS,
  };
}
