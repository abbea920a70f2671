import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './log.ts';
import type { Component } from './process.ts';

export interface Loop extends Component {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Runs the next round now instead of at its time. */
  wake(): void;
}

/**
 * A background job in rounds: relays, sweepers, the trainer's claims. A round that gives `true` is followed by the
 * next at once; otherwise the loop rests for `restMs`, or until it is woken. A round that fails is logged and tried
 * again after the rest, so a dependency that is away never ends the loop.
 */
export function createLoop(options: {
  name: string;
  restMs: number;
  log: Log;
  round(signal: AbortSignal): Promise<unknown>;
}): Loop {
  const ended = new AbortController();
  let resting = new AbortController();
  let woken = false;
  let running: Promise<void> | undefined;

  async function rest() {
    resting = new AbortController();
    const signal = AbortSignal.any([resting.signal, ended.signal]);
    if (!woken) await sleep(options.restMs, undefined, { signal }).catch(() => {});
    woken = false;
  }

  async function rounds() {
    while (!ended.signal.aborted) {
      const more = await options.round(ended.signal).catch((error) => {
        if (!ended.signal.aborted) options.log.error({ err: error, loop: options.name }, 'a round failed');
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
      await running;
    },
    wake() {
      woken = true;
      resting.abort();
    },
  };
}
