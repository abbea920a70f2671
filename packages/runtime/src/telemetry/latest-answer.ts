import { setTimeout as sleep } from 'node:timers/promises';
import { linkedSignal } from '../linked-signal.ts';

const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;
const ASK_WITHIN_MS = 30_000;

/** Between requests that find out whether a server answers again: the first, which doubles up to the longest. */
export interface ProbePauses {
  firstPauseMs?: number;
  longestPauseMs?: number;
}

export interface LatestAnswer {
  /** Notes whether the server has answered a request. */
  answered(isUp: boolean): void;
  stop(): Promise<void>;
}

/**
 * Notes whether a server has answered its latest request. While it has not, asks it by itself, less and less often: a process
 * that seldom needs the server would report an outage long after its end.
 *
 * @param ask sends a small request, and rejects unless the server answers it
 */
export function createLatestAnswer(
  note: (isUp: boolean) => void,
  ask: (signal: AbortSignal) => Promise<unknown>,
  { firstPauseMs = FIRST_PAUSE_MS, longestPauseMs = LONGEST_PAUSE_MS }: ProbePauses = {},
): LatestAnswer {
  const stopping = new AbortController();
  const { signal } = stopping;
  let isDown = false;
  let isAsking = false;
  let asked: Promise<void> | undefined;

  async function askUntilUp() {
    isAsking = true;
    for (let pauseMs = firstPauseMs; isDown && !signal.aborted; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {});
      if (!isDown || signal.aborted) break;
      using asking = linkedSignal([signal], ASK_WITHIN_MS);
      // The failure of the request before it is in the log.
      await ask(asking.signal).then(
        () => answered(true),
        () => {},
      );
    }
    isAsking = false;
  }

  function answered(isUp: boolean) {
    isDown = !isUp;
    note(isUp);
    if (isDown && !isAsking) asked = askUntilUp();
  }

  return {
    answered,
    async stop() {
      stopping.abort();
      await asked;
    },
  };
}
