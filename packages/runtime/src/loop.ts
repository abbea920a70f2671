import type { Log } from './log.ts';
import type { Component } from './process.ts';
import { isTransient } from './transient.ts';

export interface Loop extends Component {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Starts the next round now, or right after the current one. */
  wake(): void;
}

/**
 * A background job in rounds: relays, sweepers, the trainer's claims. After a round that returns `true` the next one
 * starts at once; otherwise the loop rests for `restMs`, or until it is woken. A failed round is logged (at `warn` while a
 * dependency is unavailable, else at `error`) and never ends the loop.
 */
export function createLoop(options: {
  name: string;
  restMs: number;
  log: Log;
  round(signal: AbortSignal): Promise<unknown>;
}): Loop {
  const ended = new AbortController();
  let endRest = () => {};
  let woken = false;
  let running: Promise<void> | undefined;

  async function rest() {
    if (!woken && !ended.signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, options.restMs);
        endRest = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    woken = false;
  }

  async function rounds() {
    while (!ended.signal.aborted) {
      const more = await options.round(ended.signal).catch((error) => {
        if (ended.signal.aborted) return;
        // `npm start` shows errors to a person, who can do nothing about a dependency that restarts.
        const level = isTransient(error) ? 'warn' : 'error';
        options.log[level]({ err: error, loop: options.name }, 'a round failed');
      });
      if (more !== true) await rest();
    }
  }

  return {
    name: options.name,
    async start() {
      running = rounds();
    },
    async stop() {
      ended.abort();
      endRest();
      await running;
    },
    wake() {
      woken = true;
      endRest();
    },
  };
}
