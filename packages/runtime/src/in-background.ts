import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './log.ts';
import { CannotRun, type Component } from './process.ts';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/**
 * A component that neither startup nor readiness of its process waits for. Starting it is retried until it succeeds; only what
 * this release must not touch (`CannotRun`) stops the process.
 */
export function inBackground(component: Component, log: Log): Component {
  let fail: (reason: CannotRun) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });

  async function keepStarting(signal: AbortSignal) {
    for (let waitMs = FIRST_WAIT_MS; !signal.aborted; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
      try {
        return await component.start?.(signal);
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof CannotRun) return fail(error);
        log.error({ err: error }, `${component.name} could not start; retrying in ${waitMs / 1000} s`);
        await sleep(waitMs, undefined, { signal }).catch(() => {});
      }
    }
  }

  let starting: Promise<void> | undefined;
  return {
    name: component.name,
    failed,
    ...(component.ready && { available: component.ready }),
    async start(signal) {
      starting = keepStarting(signal);
    },
    async stop() {
      await starting;
      await component.stop?.();
    },
  };
}
