import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@parley/runtime/testing';
import type { ServiceProcess } from '../../deploy/stack/service-process.ts';
import type { Recorder } from './recorder.ts';

const READY_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 100;
/** Clients of a service reconnect within two seconds after it is back; requests that they repeat take a little longer. */
const SETTLE_MS = 5_000;

/** Which process is restarted as the `n`th, from 0, and how: each one by turns with and without warning. */
export function turn<T>(processes: readonly T[], n: number): { process: T; signal: 'SIGTERM' | 'SIGKILL' } {
  const round = Math.floor(n / processes.length);
  const position = n % processes.length;
  return { process: processes[position]!, signal: (round + position) % 2 === 0 ? 'SIGTERM' : 'SIGKILL' };
}

export interface RestartOptions {
  processes: readonly ServiceProcess[];
  recorder: Recorder;
  /** From the begin of one restart to that of the next, unless it takes longer. */
  everyMs: number;
  /** Restarts of each process. */
  rounds: number;
  /** Ends it after the restart in progress. */
  signal: AbortSignal;
  onRestart(name: string, signal: string): void;
}

/** Restarts each process in turn. */
export async function restartInTurn({ processes, recorder, everyMs, rounds, signal, onRestart }: RestartOptions) {
  for (let n = 0; n < rounds * processes.length; n++) {
    const next = performance.now() + everyMs;
    await pause(everyMs / 2, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    const { process, signal: ending } = turn(processes, n);
    onRestart(process.name, ending);
    await restart(process, ending, recorder);
    await pause(Math.max(0, next - performance.now()), undefined, { signal }).catch(() => {});
  }
}

async function restart(process: ServiceProcess, ending: NodeJS.Signals, recorder: Recorder): Promise<void> {
  const end = recorder.disturb();
  try {
    if (ending === 'SIGKILL') {
      process.kill(ending);
      await process.exited;
    }
    await process.restart(); // Sends SIGTERM to one that runs.
    await until(process.unready, (reason) => reason === '', READY_WITHIN_MS, LOOK_EVERY_MS);
    await pause(SETTLE_MS);
  } finally {
    end();
  }
}
