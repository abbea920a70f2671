import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceProcess } from '../../deploy/stack/service-process.ts';

const PAUSE_MS = 300;

/** What processes said of themselves while they were watched. */
export interface Watch {
  /** Those who did not answer that they live, at least once. */
  silent: Set<string>;
  /** Why each was not ready, at any time. */
  reasons: Map<string, Set<string>>;
  stop(): Promise<void>;
}

/** Asks each process again and again whether it lives and is ready. */
export function watch(processes: ServiceProcess[]): Watch {
  const silent = new Set<string>();
  const reasons = new Map(processes.map(({ name }) => [name, new Set<string>()]));
  let stopped = false;
  const look = async (process: ServiceProcess) => {
    while (!stopped) {
      if (!(await process.alive())) silent.add(process.name);
      const reason = await process.unready();
      if (reason) reasons.get(process.name)!.add(reason);
      await pause(PAUSE_MS);
    }
  };
  const ended = Promise.all(processes.map(look));
  return {
    silent,
    reasons,
    async stop() {
      stopped = true;
      await ended;
    },
  };
}
