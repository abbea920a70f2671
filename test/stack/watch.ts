import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceProcess } from '../../deploy/stack/service-process.ts';

const PAUSE_MS = 300;

/** Reports of processes while they were watched. */
export interface Watch {
  /** Processes that at least once did not report being alive. */
  silent: Set<string>;
  /** All reasons that each gave for not being ready. */
  reasons: Map<string, Set<string>>;
  stop(): Promise<void>;
}

/** Polls whether each process is alive and ready. */
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
